// What the page costs a browser: the time of scripts, styles and layout (painting is left out, it depends on the
// machine's graphics) for long runs, large trees and long sessions, beside the same view with next to nothing in it.
// The server is rein serve with a scripted model; everything runs on this machine. `make bench-web` calls it.
import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { closeBrowser, openHouse } from '../e2e/rig.mjs';

const quick = process.argv.includes('-quick');
const size = quick ? { deltas: 500, steps: 60, nodes: 30, messages: 60 } : { deltas: 10_000, steps: 1000, nodes: 500, messages: 2000 };
const perTurn = quick ? 20 : 50;
const perRun = 20; // messages, of which the last is the answer

const settings = `
[tools]
root = "~/work"
[budget]
runs = 1000
rounds = 5000
tool_calls = 5000
tokens = 1000000000
depth = 1
minutes = 600
[limits.run]
runs = 1000
rounds = 5000
tool_calls = 5000
tokens = 1000000000
[limits.user]
frames = 0
driven = 0
[operate]
rounds = 100
compact_messages = 10000
`;

/** turns makes the replies of a model that makes n calls, many in each turn, and then says something. */
function turns(word, n, call) {
  let script = '';
  let turn = 1;
  for (let done = 0; done < n; turn++) {
    script += `when user="${word}" turn=${turn}\n`;
    for (let i = 0; i < perTurn && done < n; i++) script += `call ${call(done++)}\n`;
    script += '\n';
  }
  return `${script}when user="${word}"\nsay That was it.\n\n`;
}

const words = (n) => Array.from({ length: n }, (_, i) => (i % 40 === 39 ? 'end.\n\n' : `word${i % 97}`)).join(' ');

const script = `
when user~"Part"
say A part is done.

when user="deltas"
drip 1ms
say <<END
${words(size.deltas)}
END

${turns('steps', size.steps, (i) => `glob {"pattern":"none-${i}-*"}`)}
${turns('one step', 1, () => `glob {"pattern":"none-*"}`)}
${turns('tree', size.nodes - 1, (i) => `fork {"prompt":"Part ${i}"}`)}
${turns('small tree', 1, () => `fork {"prompt":"Part 0"}`)}
when
say Yes.
`;

const house = await openHouse({ script, settings, files: { 'work/readme.txt': 'A file.\n' } });
try {
  await bench();
} finally {
  await house.close();
  await closeBrowser();
}

async function bench() {
  const page = await house.enter();
  const api = caller(page);
  const ids = {};
  for (const [name, tools] of Object.entries({ steps: ['glob'], 'one step': ['glob'], tree: ['fork', 'wait'], 'small tree': ['fork', 'wait'] })) {
    const run = await start(api, name, tools);
    ids[name] = { run, session: await finished(api, run) };
  }
  const long = await session(api, size.messages / perRun);
  const short = await session(api, 1, 1);

  const rows = [];
  const row = (what, n, many, few) => rows.push({ what, n, many, few });
  const at = { timeline: '[data-timeline]', waterfall: 'a.step', tree: '[role=tree]' };
  row('text of a run, followed live, words', size.deltas, await live(page, api, 'deltas'), await live(page, api, 'one word'));
  row('a run with many steps, as a session', size.steps, await shown(page, `/s/${ids.steps.session}`, at.timeline), await shown(page, `/s/${ids['one step'].session}`, at.timeline));
  row('its waterfall', size.steps, await shown(page, `/runs/${ids.steps.run}`, at.waterfall), await shown(page, `/runs/${ids['one step'].run}`, at.waterfall));
  row('a tree of runs', size.nodes, await shown(page, `/runs/${ids.tree.run}/tree`, at.tree), await shown(page, `/runs/${ids['small tree'].run}/tree`, at.tree));
  row('a session of many messages', size.messages, await shown(page, `/s/${long}`, at.timeline), await shown(page, `/s/${short}`, at.timeline));
  row('a page of the table of runs', size.messages / perRun, await shown(page, '/runs', '[role=table]'), await shown(page, '/runs?q=nothing-is-called-so', 'main'));
  report(rows, await firstLoad());
}

/** caller calls the API from inside the page, as the page does. */
function caller(page) {
  return (method, path, body) =>
    page.evaluate(
      async ({ method, path, body }) => {
        globalThis.me ??= await (await fetch('/v1/me')).json();
        const send = () => fetch(path, { method, headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': globalThis.me.csrf }, body: body && JSON.stringify(body) });
        let answer = await send();
        while (answer.status === 429) { // preparing a long session asks more often than people do
          await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('Retry-After') ?? 1)));
          answer = await send();
        }
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
        return answer.json();
      },
      { method, path, body },
    );
}

async function start(api, text, tools = [], session = '') {
  const task = { flow: tools.length ? 'operate' : 'chat', messages: [{ role: 'user', text }], tools, session };
  return (await api('POST', '/v1/runs', { task })).id;
}

/** finished waits for the end of a run and returns its session. */
async function finished(api, run) {
  for (;;) {
    const { status, session } = await api('GET', `/v1/runs/${run}`);
    if (status === 'done') return session;
    if (!['ready', 'running', 'waiting'].includes(status)) throw new Error(`run ${run}: ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** session makes a session of runs, each of which begins with some messages of both sides and ends with an answer. */
async function session(api, runs, messages = perRun - 1) {
  let id = '';
  for (let run = 0; run < runs; run++) {
    const said = Array.from({ length: messages }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', text: `Message ${run}.${i}` }));
    id = await finished(api, (await api('POST', '/v1/runs', { task: { flow: 'chat', messages: said, session: id } })).id);
  }
  return id;
}

/** measured is what a page spends while something happens, in milliseconds. */
async function measured(page, act) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const before = await spent(cdp);
  await act();
  await settled(page);
  const after = await spent(cdp);
  await cdp.detach();
  return Object.fromEntries(Object.entries(after).map(([what, ms]) => [what, ms - before[what]]));
}

/** spent is what a page has spent so far, in milliseconds. */
async function spent(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name) => 1000 * metrics.find((m) => m.name === name).value;
  return { script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration') };
}

/** settled waits until two pictures in a row were drawn with nothing new in them. */
async function settled(page) {
  await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(() => resolve(true)))));
}

async function shown(page, path, selector) {
  return median(3, async () => {
    const fresh = await page.context().newPage();
    const cost = await measured(fresh, async () => {
      await fresh.goto(house.url + path);
      await fresh.locator(selector).first().waitFor();
      await fresh.waitForLoadState('networkidle');
    });
    await fresh.close();
    return cost;
  });
}

/** live is what a page that shows a session spends on the next run of it, from its start to its end. */
async function live(page, api, text) {
  return median(3, async () => {
    const session = await finished(api, await start(api, 'Before'));
    const fresh = await page.context().newPage();
    await fresh.goto(`${house.url}/s/${session}`);
    await fresh.locator('p.end').first().waitFor();
    await fresh.waitForLoadState('networkidle').catch(() => {}); // a feed may stay open
    await settled(fresh);
    const cost = await measured(fresh, async () => {
      await start(api, text, [], session);
      await fresh.locator('p.end').nth(1).waitFor({ timeout: 120_000 });
    });
    await fresh.close();
    return cost;
  });
}

async function median(n, of) {
  const all = [];
  for (let i = 0; i < n; i++) all.push(await of());
  return all.sort((a, b) => total(a) - total(b))[n >> 1];
}

function total(cost) {
  return cost.script + cost.style + cost.layout;
}

/** firstLoad is what comes before anything is shown, as it is sent. */
async function firstLoad() {
  const dist = new URL('../dist/', import.meta.url);
  const index = await readFile(new URL('index.html', dist));
  let bytes = gzipSync(index, { level: 9 }).length;
  for (const [, file] of index.toString().matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)) bytes += gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length;
  return bytes;
}

function report(rows, bytes) {
  const ms = (n) => n.toFixed(0).padStart(6);
  console.log('### page: scripts, styles and layout, medians of 3\n');
  console.log('| what | how many | script ms | style ms | layout ms | all | with one | ratio | ms for each |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const { what, n, many, few } of rows) {
    const each = Math.max(0, total(many) - total(few)) / n;
    console.log(`| ${what} | ${n} | ${ms(many.script)} | ${ms(many.style)} | ${ms(many.layout)} | ${ms(total(many))} | ${ms(total(few))} | ${(total(many) / total(few)).toFixed(1)} × | ${each.toFixed(3)} |`);
  }
  console.log(`\nFirst load: ${(bytes / 1000).toFixed(1)} kB, compressed (at most 150 kB).`);
}
