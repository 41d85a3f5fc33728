// A walk through every view of the page, with a real server and a scripted model: for pictures, and for checks of all of them.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { closeBrowser, openHouse } from './rig.mjs';

const work = `
price in=3.00 out=15.00

when phase=clarify
say {}

when phase=split user~"holiday" run!=*.*
say {"questions": ["Which months are dry in Madeira and the Azores?", "What do ferries between the islands cost?", "Which walks are open with small children?"]}

when phase=act user~"dry"
say Madeira is driest from June to September; the Azores have rain in every month, least of it in July.

when phase=act user~"ferries"
hang

when phase=act user~"walks"
call ask_user {"question":"How old is the youngest child?"}

when phase=act user~"holiday"
say I compare the islands while others look at weather, ferries and walks.

when user~"flaky" turn=1
say I look for the test, run it often, and read the code that it covers.
call grep {"pattern":"TestPark","path":"engine"}
call read_file {"path":"engine/park.go"}
call todo {"items":[{"text":"reproduce it","state":"done"},{"text":"fix the order","state":"doing"},{"text":"run all tests","state":"pending"}]}

when user~"flaky" turn=2
say <<END
The timer fires **before** the park is durable: \`Park\` resets it first and commits afterwards. A wake that comes in between is lost.

| when | what happens |
|---|---|
| \`timer.Reset\` | the wake may come |
| \`commit\` | only now the park exists |

I wait for the commit instead.
END
call edit_file {"path":"engine/park.go","edits":[{"old":"\\ttimer.Reset(grace)\\n\\tcommit()","new":"\\tcommit(func() { timer.Reset(grace) })"}]}

when user~"flaky" turn=3
call execute_command {"command":"grep -n Reset engine/park.go"}

when user~"flaky"
say Fixed: the timer starts when the park is durable, so no wake comes before it.

when
say {}
`;

const parkGo = 'package engine\n\n// Park writes that the run waits.\nfunc Park(timer *Timer, commit func(...func())) {\n\ttimer.Reset(grace)\n\tcommit()\n}\n';
/** views calls `each` with each view in each look: its name, `''` or `'phone'`, and the colours. */
export async function views(each) {
  const house = await openHouse({
    script: work,
    settings: '[tools]\nroot = "~/work"\n',
    files: { 'work/engine/park.go': parkGo, 'work/engine/park_test.go': 'package engine\n\nfunc TestPark(t *testing.T) {}\n' },
  });
  const notes = await openHouse({ flow: 'answer' });
  try {
    await walk(house, notes, (page, name) => looks(page, (size, colours) => each(page, name, size, colours)));
  } finally {
    await Promise.all([house.close(), notes.close()]);
    await closeBrowser();
  }
}

async function walk(house, notes, pictures) {
  const page = await house.enter();
  const tools = ['grep', 'read_file', 'todo', 'edit_file', 'execute_command', 'ask_user'];
  const start = (flow, text, more = {}) => call(page, 'POST', '/v1/runs', { task: { flow, messages: [{ role: 'user', text }], ...more } });
  for (const text of ['Plan the week menu', 'The disk is full: what can go?', 'Letter to the school']) await start('chat', text);
  const flaky = await start('operate', 'Why is TestPark flaky? Fix it.', { tools });
  const trip = await start('explore', 'Which island suits our holiday in June?');

  await page.goto(`${house.url}/s/${flaky.session}`);
  await page.getByRole('button', { name: /allow/i }).first().waitFor();
  await page.locator('[data-ready=true]').first().waitFor();
  await pictures(page, 'ask');
  await page.goto(`${house.url}/runs/${trip.id}/tree`);
  await page.getByText('ferries').first().waitFor();
  await pictures(page, 'tree');
  await page.goto(`${house.url}/asks`);
  await page.getByText('How old').first().waitFor();
  await pictures(page, 'asks');
  await approve(page);
  await page.goto(`${house.url}/s/${flaky.session}`);
  await page.getByText('no wake comes before').first().waitFor();
  await pictures(page, 'chat');
  await page.goto(`${house.url}/runs/${flaky.id}`);
  await page.locator('a.step').first().waitFor();
  await pictures(page, 'steps');
  await page.locator('a.step').nth(2).click();
  await page.waitForLoadState('networkidle');
  await pictures(page, 'step');
  await page.goto(`${house.url}/runs`);
  await page.getByText('flaky').first().waitFor();
  await pictures(page, 'runs');
  await page.goto(`${house.url}/settings`);
  await page.getByRole('heading').first().waitFor();
  await pictures(page, 'settings');
  await page.goto(house.url);
  await page.getByRole('textbox').last().waitFor();
  await pictures(page, 'new');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await pictures(page, 'palette');

  await cp(new URL('../../examples/vault', import.meta.url), join(notes.dir, 'vault'), { recursive: true });
  await notes.write('.config/rein/rein.toml', 'vault = "~/vault"\n');
  await notes.kill();
  await notes.start();
  const reader = await notes.enter();
  const answered = await call(reader, 'POST', '/v1/runs', { task: { flow: 'answer', messages: [{ role: 'user', text: 'How do I stop a run?' }] } });
  await reader.goto(`${notes.url}/s/${answered.session}`);
  await reader.locator('p.end').first().waitFor();
  await pictures(reader, 'answer');
  await reader.locator('sup button').first().click();
  await reader.locator('aside .cited').waitFor();
  await pictures(reader, 'note');
}

/** approve answers the oldest approval as the person at the page would. */
async function approve(page) {
  for (;;) {
    const { asks } = await call(page, 'GET', '/v1/asks?state=pending');
    const ask = asks.find((a) => a.kind === 'approval');
    if (ask) return call(page, 'POST', `/v1/asks/${encodeURIComponent(ask.id)}/answer`, { state: 'approved', shown: ask.shown });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function call(page, method, path, body) {
  return page.evaluate(
    async ({ method, path, body }) => {
      const me = await (await fetch('/v1/me')).json();
      const answer = await fetch(path, { method, headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': me.csrf }, body: body && JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    { method, path, body },
  );
}

/** looks shows a view on a wide screen and on a phone, light and dark. */
async function looks(page, each) {
  for (const [size, viewport] of Object.entries({ '': { width: 1280, height: 800 }, phone: { width: 390, height: 844 } })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))));
      const ready = page.locator('[data-ready]');
      if (await ready.count()) await page.locator('[data-ready=true]').first().waitFor(); // a card that moved waits before it takes an answer
      await each(size, colorScheme);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}
