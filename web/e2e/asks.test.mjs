// Asks: what waits for a person, and that nothing is answered which the person has not read.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const lines = Array.from({ length: 80 }, (_, n) => `line ${n}\\n`).join('');
const script = `${['a', 'c', 'd', 'e'].map((name) => `when results=0 user~"WRITE ${name}"\ncall write_file {"path":"${name}.md","content":"one\\\\ntwo\\\\n"}\n`).join('\n')}
when results=0 user~"MKDIR"
call execute_command {"command":"mkdir docs"}

when results=0 user~"TOUCH"
call execute_command {"command":"touch same.txt"}

when results=0 user~"HANG"
call execute_command {"command":"touch began && sleep 60"}

when results=0 user~"NET"
call execute_command {"command":"true","network":true}

when results=0 user~"HIDDEN"
call execute_command {"command":"mkdir a\\u200bb"}

when results=0 user~"SECRET"
call execute_command {"command":"mkdir ghp_0123456789abcdefghijklmnopqrstuvwx"}

when results=0 user~"LONG two"
call write_file {"path":"two.md","content":"${lines}"}

when results=0 user~"LONG"
call write_file {"path":"long.md","content":"${lines}"}

when phase=reason
say I must know which. {"plan": "ask", "finish": false}

when phase=act user="STRICT" results=0
call request_input {"question":"Which *file*?"}

when phase=observe
say It is read. {"observation": "", "should_continue": false, "final_answer": "Done."}

when run=*.* phase=question user="Which train?"
say {"missing": true, "question": "At what time?"}

when phase=question
say {"missing": false}

when phase=split
say {"questions": ["Which train?", "Which hotel?"]}

when phase=doubt
say {"uncertain": false}

when
say All is done.
`;
const settings = '[tools]\nroot = "~/work"\n';

let house, page;
before(async () => {
  house = await openHouse({ script, settings, files: { 'work/note.md': 'one\n' } });
  page = await house.enter({ path: '/asks' });
  await page.getByText('Nothing waits for you.').waitFor();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

/** api calls the server as the page does. */
function api(path, body) {
  return page.evaluate(
    async ([path, body]) => {
      if (!body) return (await fetch(path)).json();
      const { csrf } = await (await fetch('/v1/me')).json();
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf, 'Idempotency-Key': crypto.randomUUID() };
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    },
    [path, body],
  );
}
async function start(text, task = {}) {
  const run = await api('/v1/runs', { task: { flow: 'operate', messages: [{ role: 'user', text }], ...task } });
  assert.ok(run.id, JSON.stringify(run));
  return run;
}
const asksOf = async (run) => (await api(`/v1/asks?tree=${run.id}`)).asks;
const cardOf = (run, at = page) => at.locator(`[data-ask^="${run.id}"]`);

/** until waits for something that no page shows. */
async function until(what, check) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const found = await check();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  assert.fail(`it never happened: ${what}`);
}
const over = (run, state) => until(`an ask of ${run.title} that is ${state}`, async () => (await asksOf(run)).find((ask) => ask.state === state));
const exists = (name) => access(join(house.dir, 'work', name)).then(() => true, () => false);

/** settled waits until a card takes an answer, also after the frame in which the page sees that it has moved. */
async function settled(card, control = card.locator('.acts, .choices, .reply').first()) {
  const ready = (at) => {
    const before = at.getBoundingClientRect().top;
    at.scrollIntoView({ block: 'center' });
    const stays = () => at.isConnected && at.getBoundingClientRect().top === before && at.closest('[data-ask]').dataset.ready === 'true';
    return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(stays()))));
  };
  await until('a card that takes an answer', () => control.evaluate(ready));
  return card;
}
async function press(card, name) {
  const button = card.getByRole('button', { name, exact: true });
  await settled(card, button);
  await button.click();
}

test('allow once: the diff is shown, the file is written, and the card becomes a line', async () => {
  const run = await start('WRITE a');
  const card = cardOf(run);
  await card.getByText('Approve this call of write_file?').waitFor();
  assert.match(await card.locator('table').innerText(), /one[\s\S]*two/);
  assert.equal(await page.title(), '(1) Waiting for you · rein');
  await settled(card);
  await accessible(page, 'an approval');
  await press(card, /^Allow once/);
  const ask = await over(run, 'approved');
  assert.equal(ask.answer.shown, ask.shown);
  await page.getByText(/You allowed write_file a\.md/).waitFor();
  await until('the file', () => exists('a.md'));
  await page.waitForFunction(() => document.title === 'Waiting for you · rein');
});

test('edit: the server says what is wrong beside the field, and shows again what the new arguments do', async () => {
  const run = await start('WRITE c');
  const card = cardOf(run);
  await press(card, /^Edit/);
  const path = card.getByRole('textbox', { name: 'path' });
  await path.fill('');
  await press(card, 'Allow as edited');
  await path.locator('..').getByRole('alert').waitFor();
  await accessible(page, 'a form with an error');
  await path.fill('b.md');
  await press(card, 'Allow as edited');
  await over(run, 'edited');
  await card.getByText('b.md: new').waitFor();
  await press(card, /^Allow once/);
  await until('the edited file', () => exists('b.md'));
});

test('reject with a reason: the model gets it', async () => {
  const run = await start('WRITE d');
  const card = cardOf(run);
  await press(card, /^Reject/);
  await card.getByLabel(/Why not/).fill('It is there already.');
  await press(card, 'Reject');
  assert.equal((await over(run, 'rejected')).answer.text, 'It is there already.');
  await page.getByText('It is there already.').waitFor();
});

test('this session and always make rules, whose patterns stand beside the buttons', async () => {
  const first = await start('MKDIR');
  await (await settled(cardOf(first))).getByText('exactly this again, in this session: mkdir docs').waitFor();
  await press(cardOf(first), /^Allow for this session/);
  await over(first, 'approved');
  const second = await start('MKDIR');
  await press(cardOf(second), /^Always allow/);
  await over(second, 'approved');
  const { rules } = await until('two rules', async () => ((all) => all.rules.length === 2 && all)(await api('/v1/rules')));
  assert.deepEqual(rules.map((r) => r.scope).sort(), ['always', 'session']);
  const third = await start('MKDIR');
  await until('a run without an ask', async () => (await api(`/v1/runs/${third.id}`)).status === 'done');
  assert.deepEqual(await asksOf(third), []);
});

// Covers: RAO-46/web
test('a question of the flow strict is answered in words', async () => {
  const run = await start('STRICT', { flow: 'strict' });
  const card = cardOf(run);
  const field = card.getByRole('textbox', { name: 'Your answer' });
  await field.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('[data-ask] textarea')); // nobody was typing
  assert.match(await card.getAttribute('class'), /flash/);
  await card.getByText('left, then the run is stopped').waitFor();
  await accessible(page, 'a question');
  await field.fill('README');
  await settled(card);
  await field.press('Enter');
  assert.equal((await over(run, 'answered')).answer.text, 'README');
  await until('the end', async () => (await api(`/v1/runs/${run.id}`)).status === 'done');
});

test('keys that were typed before a card appeared, or without a pause, answer nothing', async () => {
  await page.getByRole('heading', { name: 'Waiting for you' }).click();
  let typing = true;
  const run = await start('TOUCH nothing yet');
  const typed = (async () => {
    while (typing) await page.keyboard.press('a');
  })();
  await cardOf(run).waitFor();
  const shown = Date.now();
  await until('a second of typing', async () => Date.now() - shown > 1000);
  typing = false;
  await typed;
  assert.deepEqual((await asksOf(run)).map((ask) => ask.state), ['pending']);
  await settled(cardOf(run));
  await page.keyboard.press('a');
  await over(run, 'approved');
});

test('a click right after a card appeared or moved answers nothing', async () => {
  // The earliest click that a page can see: in the task in which the button comes.
  await page.evaluate(() => {
    window.clicks = 0;
    new MutationObserver((_, watch) => {
      const button = document.querySelector('[data-ask] .allow');
      if (!button) return;
      watch.disconnect();
      button.click();
      window.clicks++;
    }).observe(document.body, { subtree: true, childList: true });
  });
  const run = await start('TOUCH moved');
  const card = cardOf(run);
  await settled(card);
  assert.equal(await page.evaluate(() => window.clicks), 1);
  const moved = () =>
    card.evaluate((at) => {
      const above = document.createElement('div');
      above.style.height = '40px';
      at.before(above);
      at.querySelector('.allow').click();
      return at.innerText;
    });
  await moved();
  await card.getByText('Press again if you mean it.').waitFor();
  assert.deepEqual((await asksOf(run)).map((ask) => ask.state), ['pending']);
  await press(card, /^Allow once/);
  await over(run, 'approved');
});

test('a long text must be shown whole before it can be allowed', async () => {
  const run = await start('LONG');
  const card = cardOf(run);
  await settled(card);
  assert.equal(await card.getByText('line 79').count(), 0);
  await press(card, /^Allow once/);
  await card.getByText('line 79').waitFor();
  assert.deepEqual((await asksOf(run)).map((ask) => ask.state), ['pending']);
  await press(card, /^Allow once/);
  await over(run, 'approved');
});

test('what cannot be seen is spelled out, and secrets show on request', async () => {
  const hidden = await start('HIDDEN');
  await cardOf(hidden).locator('.line', { hasText: 'mkdir a\\u200bb' }).waitFor();
  await press(cardOf(hidden), /^Reject/);
  await press(cardOf(hidden), 'Reject');
  const run = await start('SECRET');
  const card = cardOf(run);
  await card.getByText('Secrets are masked.').waitFor();
  assert.equal(await card.getByText('ghp_0123').count(), 0);
  await card.getByRole('button', { name: 'Show them' }).click();
  await card.locator('.line', { hasText: 'ghp_0123456789abcdefghijklmnopqrstuvwx' }).waitFor();
  await press(card, /^Reject/);
  await press(card, 'Reject');
  await over(run, 'rejected');
});

test('what gets something from outside its sandbox is not allowed by a key', async () => {
  const run = await start('NET');
  const card = cardOf(run);
  await card.focus();
  await settled(card);
  await page.keyboard.press('a');
  assert.deepEqual((await asksOf(run)).map((ask) => ask.state), ['pending']);
  await card.getByText('IF YOU AGREE, it also gets the network.').waitFor();
  await settled(card);
  await page.keyboard.press('r');
  await card.getByLabel(/Why not/).waitFor();
  await settled(card);
  await page.keyboard.press('Enter');
  await over(run, 'rejected');
});

test('of two windows the second learns who was first', async () => {
  const run = await start('TOUCH twice');
  const other = await page.context().newPage();
  // This window hears of nothing that happens later, as one whose connection is stuck.
  await other.routeWebSocket(/\/v1\/live/, (socket) => socket.send(JSON.stringify({ type: 'hello' })));
  await other.goto(`${house.url}/asks`);
  await settled(cardOf(run, other));
  await page.bringToFront(); // a window behind another one draws once a second
  await press(cardOf(run), /^Allow once/);
  await over(run, 'approved');
  await other.bringToFront();
  await press(cardOf(run, other), /^Reject/);
  await press(cardOf(run, other), 'Reject');
  await other.getByText('You answered it elsewhere before.').waitFor();
  assert.deepEqual((await asksOf(run)).map((ask) => ask.state), ['approved']);
  await other.close();
  await page.bringToFront();
});

test('equal asks are answered together, each to what it shows', async () => {
  const runs = [await start('TOUCH one'), await start('TOUCH two')];
  const first = cardOf(runs[0]);
  await cardOf(runs[1]).waitFor();
  await first.getByLabel('Answer the equal one too').check();
  await press(first, /^Allow once/);
  const [a, b] = [await over(runs[0], 'approved'), await over(runs[1], 'approved')];
  assert.deepEqual([a.answer.shown, b.answer.shown], [a.shown, b.shown]);
});

test("a child's question stands under the run at the root", async () => {
  const run = await start('Plan a trip.', { flow: 'explore', settings: { depth: 1, clarify: false } });
  const card = cardOf(run);
  await card.getByText('At what time?').waitFor();
  assert.match(await card.getAttribute('data-ask'), /^[^:]+\.\d+:/);
  await card.getByRole('link', { name: /a run below/ }).waitFor();
  assert.equal(await page.locator('.run', { has: card }).getByRole('heading', { level: 2 }).innerText(), 'Plan a trip.');
  await card.getByRole('textbox').fill('At nine');
  await press(card, /^Answer/);
  await over(run, 'answered');
});

test('by keyboard alone: find, allow, edit and reject', async () => {
  const one = await start('WRITE e');
  await cardOf(one).waitFor(); // so that it stands above the other
  const two = await start('LONG two');
  await cardOf(two).waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  const focused = (run) => page.waitForFunction((id) => document.activeElement?.closest('[data-ask]')?.dataset.ask.startsWith(id), run.id);
  await page.keyboard.press('j');
  await focused(one);
  await settled(cardOf(one));
  await page.keyboard.press('r');
  await page.keyboard.type('no');
  await settled(cardOf(one));
  await page.keyboard.press('Enter');
  assert.equal((await over(one, 'rejected')).answer.text, 'no');
  await cardOf(one).locator('textarea').waitFor({ state: 'detached' }); // until then the key goes into the reason
  await page.keyboard.press('j');
  await focused(two);
  await settled(cardOf(two));
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kept.md');
  await settled(cardOf(two));
  await page.keyboard.press('Enter');
  await cardOf(two).getByText('Read all of it first.').waitFor();
  await settled(cardOf(two));
  await page.keyboard.press('Enter');
  const edited = await over(two, 'edited');
  const again = page.locator(`[data-ask^="${two.id}"]:not([data-ask="${edited.id}"])`); // what the new arguments do
  await again.waitFor();
  await page.locator(`[data-ask="${edited.id}"] .acts`).waitFor({ state: 'detached' });
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('j');
  await settled(again);
  await page.keyboard.press('a'); // shows the rest
  await again.getByText('line 79').waitFor();
  await settled(again);
  await page.keyboard.press('a');
  await until('the file of the keyboard', () => exists('kept.md'));
  assert.match(await readFile(join(house.dir, 'work', 'kept.md'), 'utf8'), /line 79/);
});

test('an outcome that nobody knows: a person says what happened', async () => {
  const run = await start('HANG');
  await press(cardOf(run), /^Allow once/);
  await until('the command', () => exists('began'));
  await house.kill();
  await house.start();
  await page.goto(`${house.url}/asks`);
  await page.getByRole('button', { name: 'It did not: run it again' }).waitFor();
  await page.getByRole('button', { name: 'It happened', exact: true }).waitFor();
  await accessible(page, 'an unknown outcome');
  await press(cardOf(run), 'Skip it');
  assert.equal((await until('the answer', async () => (await asksOf(run)).find((ask) => ask.kind === 'unknown' && ask.state === 'answered'))).answer.text, 'skip');
  await accessible(page, 'an inbox with what was answered');
  assert.deepEqual(page.violations, []);
});

test('an ask that nobody answers says what will happen, and then that it did', async () => {
  const short = await openHouse({ script, settings: `${settings}approval_timeout = "3s"\n`, files: { 'work/note.md': '' } });
  try {
    const there = await short.enter({ path: '/asks' });
    await short.rein('run', '--flow', 'operate', '--park', 'WRITE a').catch(() => undefined);
    await there.getByText(/left, then the run continues without it/).waitFor();
    await there.getByText('Nobody answered in time: write_file a.md').waitFor();
    assert.deepEqual(there.violations, []);
  } finally {
    await short.close();
  }
});
