// A Bot API server that somebody else wrote (telegram-test-api), behind a front that adds what it does not have and the
// documentation of the Bot API promises: an update comes again until a later offset confirms it, a poll is held while there is
// nothing, and a message that is not there, or says the same already, is not changed. The front also ends the process of the
// bot (kill -9) at the moments that a test names.
//
//   node telegram.mjs
//
// It prints the port, then takes requests at /lab/…: say {text}, press {message, data}, kill {pid, method, when, nth}, shown.
import http from 'node:http';
import TelegramServer from 'telegram-test-api';

const Server = TelegramServer.TelegramServer ?? TelegramServer.default ?? TelegramServer;
const peer = new Server({ port: 1, host: '127.0.0.1' }); // it is not started: the front hands requests to it
const token = '4242:lab';
const client = peer.getClient(token, { userId: 7, chatId: 7, firstName: 'Ann' });

let plan = null; // {pid, method, when: 'before' | 'done' | 'after', nth}
let seen = {};
const waiting = new Set();
const wake = () => { for (const w of waiting) w(); };

// due ends the bot if the plan says so, and reports whether it did.
function due(method, when) {
  if (!plan || plan.method !== method || plan.when !== when) return false;
  seen[when] = (seen[when] ?? 0) + 1;
  if (seen[when] !== plan.nth) return false;
  const { pid } = plan;
  plan = null;
  process.kill(pid, 'SIGKILL');
  return true;
}

function body(request) {
  return new Promise((resolve) => {
    let text = '';
    request.on('data', (part) => { text += part; });
    request.on('end', () => resolve(text ? JSON.parse(text) : {}));
  });
}

// toPeer hands a request to the package and returns its answer.
function toPeer(path, params) {
  return new Promise((resolve, reject) => {
    const inner = http.request({ port: inside.address().port, path, method: 'POST', headers: { 'Content-Type': 'application/json' } }, (answer) => {
      let text = '';
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    inner.on('error', reject);
    inner.end(JSON.stringify(params));
  });
}

async function poll(params, response) {
  const offset = params.offset ?? 0;
  const unread = () => {
    for (const u of peer.storage.userMessages) u.isRead = u.updateId < offset;
    return peer.storage.userMessages.some((u) => !u.isRead);
  };
  if (!unread()) {
    await new Promise((resolve) => {
      const done = () => { waiting.delete(done); clearTimeout(timer); resolve(); };
      const timer = setTimeout(done, 1000 * Math.min(params.timeout ?? 0, 5));
      waiting.add(done);
      response.on('close', done);
    });
    unread();
  }
  return toPeer(`/bot${token}/getUpdates`, params);
}

const refuse = (why) => ({ status: 400, text: JSON.stringify({ ok: false, error_code: 400, description: `Bad Request: ${why}` }) });

// edit refuses what Telegram refuses, and answers with the message.
async function edit(params) {
  const known = peer.storage.botMessages.find((m) => m.messageId === params.message_id && String(m.message.chat_id) === String(params.chat_id));
  if (!known) return refuse('message to edit not found');
  const markup = (m) => JSON.stringify(m.reply_markup?.inline_keyboard ?? []);
  if (known.message.text === params.text && markup(known.message) === markup(params)) return refuse('message is not modified');
  await toPeer(`/bot${token}/editMessageText`, params);
  return { status: 200, text: JSON.stringify({ ok: true, result: { message_id: params.message_id } }) };
}

async function lab(what, params) {
  switch (what) {
    case 'say':
      await peer.addUserMessage(client.makeMessage(params.text));
      break;
    case 'press':
      await peer.addUserCallback(client.makeCallbackQuery(params.data, { message: { message_id: params.message } }));
      break;
    case 'kill':
      [plan, seen] = [params, {}];
      return {};
    case 'shown':
      return peer.storage.botMessages.map((m) => ({ id: m.messageId, text: m.message.text, buttons: (m.message.reply_markup?.inline_keyboard ?? []).flat() }));
  }
  wake();
  return {};
}

async function handle(request, response) {
  const params = await body(request);
  if (request.url.startsWith('/lab/')) {
    response.end(JSON.stringify(await lab(request.url.slice(5), params)));
    return;
  }
  const method = request.url.split('/').pop();
  if (due(method, 'before')) return request.socket.destroy();
  let answer;
  if (method === 'getUpdates') answer = await poll(params, response);
  else if (method === 'editMessageText') answer = await edit(params);
  else if (method === 'getMe') answer = { status: 200, text: JSON.stringify({ ok: true, result: { id: 4242, username: 'ReinLabBot', is_bot: true } }) };
  else answer = await toPeer(request.url, params);
  if (due(method, 'done')) return request.socket.destroy();
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(answer.text, () => { due(method, 'after'); });
}

const inside = http.createServer(peer.webServer).listen(0, '127.0.0.1', () => {
  const front = http.createServer((request, response) => handle(request, response).catch((wrong) => { console.error(wrong); request.socket.destroy(); }));
  front.listen(0, '127.0.0.1', () => console.log(front.address().port));
});
