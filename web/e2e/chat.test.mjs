// The conversation: what a run did, live and afterwards, and how a person changes its course.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const long = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');

const script = `
when last~"story"
say I look at the clock first.
call get_current_time {}

when user~"story"
drip 15ms
say ## A story
say Once **upon** a time: ${long}.
say The end.

when any~"In French, please" turn=2..
say Le voilà.

when user~"walk" results=..30
slow 150ms
say One more step.
call get_current_time {}

when last~"write it"
say I write it down.
call write_file {"path":"plan.txt","content":"first\\n"}

when user~"write it"
say It is in plan.txt.

when user~"write that"
say It stays in my head.

when phase=reason round=1
say First the clock. {"plan": "look", "finish": false}

when phase=act
call request_input {"question":"Shall I look?"}

when phase=observe
say The clock works. {"observation": "works", "should_continue": true, "final_answer": ""}

when phase=reason round=2
say {"plan": "", "finish": true, "final_answer": "It is **noon**."}

when
say I have nothing to add.
`;

let house;
before(async () => {
  house = await openHouse({ script, settings: '[tools]\nroot = "~/work"\n', files: { 'work/readme.txt': 'hello\n' } });
});
after(async () => {
  await house.close();
  await closeBrowser();
});

/** start goes to a session and begins a run there, as another window would. The page hears of it. */
async function start(page, text, { flow = 'operate', session = `s-${text.replace(/\W+/g, '-')}`, ...task } = {}) {
  if (!page.url().endsWith(`/s/${session}`)) await page.goto(`${house.url}/s/${session}`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.evaluate(
    async (task) => {
      const { csrf } = await (await fetch('/v1/me')).json();
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf, 'Idempotency-Key': crypto.randomUUID() };
      const answer = await fetch('/v1/runs', { method: 'POST', headers, body: JSON.stringify({ task }) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    { flow, session, messages: [{ role: 'user', text }], ...task },
  );
  return session;
}

/** told is all that the timelines of a page say. */
async function told(page) {
  const all = await page.locator('[data-timeline]').allTextContents();
  return all.map((text) => text.replace(/\s+/g, ' ').trim());
}

const end = (page) => page.locator('[data-timeline] > li.end').last().locator('.end');
const ended = (page, word) => end(page).filter({ hasText: word }).waitFor();
const steer = (page, text) => page.getByRole('textbox', { name: 'Message' }).fill(text).then(() => page.keyboard.press('Enter'));

/** allow agrees to what the newest card shows of plan.txt. */
async function allow(page) {
  const card = page.locator('li.ask').last();
  await card.getByText('plan.txt').first().waitFor();
  await card.locator('[data-ready="true"]').waitFor();
  await card.getByRole('button', { name: /^Allow/ }).first().click();
}

test('a reload, a second window and a killed server show what an undisturbed window shows', async () => {
  const page = await house.enter();
  const session = await start(page, 'Tell me a story');
  const text = page.locator('[data-timeline] .model').last();
  await text.getByText('word5 ').waitFor();
  const second = await house.window(page, `/s/${session}`);
  await second.getByText('word9 ').first().waitFor();
  await page.reload();
  await page.getByText('word12 ').first().waitFor();
  await house.kill();
  await page.getByText(/Reconnecting|No connection/).first().waitFor();
  await house.start();
  await ended(page, 'done');
  await ended(second, 'done');
  const fresh = await house.window(page, `/s/${session}`); // it reads the log when all is over
  await ended(fresh, 'done');
  const undisturbed = await told(fresh);
  assert.match(undisturbed[0], /Tell me a story.*I look at the clock first\..*get_current_time.*A story.*Once upon a time: word0.*word59\. The end\..*done/);
  assert.deepEqual(await told(page), undisturbed);
  assert.deepEqual(await told(second), undisturbed);
  await accessible(page, 'a conversation');
  assert.deepEqual(page.violations, []);
  await page.context().close();
});

test('two windows that are left alone show the same while a run works and when it is over', async () => {
  const page = await house.enter();
  const session = await start(page, 'Tell another story');
  const second = await house.window(page, `/s/${session}`);
  await Promise.all([ended(page, 'done'), ended(second, 'done')]);
  const one = await told(page);
  assert.match(one[0], /Tell another story.*word59\. The end\./);
  assert.deepEqual(await told(second), one);
  await page.context().close();
});

test('a run is paused, resumed, steered and stopped, and says by whom', async () => {
  const page = await house.enter();
  const session = await start(page, 'Take a walk');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('status').filter({ hasText: 'Paused by owner' }).waitFor();
  await accessible(page, 'a paused run');
  const still = await told(page);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('p.rein', { hasText: 'resumed' }).waitFor();
  assert.match(still[0], /paused ?by owner/);
  await page.getByText('One more step.').nth(3).waitFor();
  await steer(page, 'In French, please');
  await page.locator('.person', { hasText: 'In French, please' }).getByText(/applied at step \d/).waitFor();
  await ended(page, 'done');
  await page.getByText('Le voilà.').first().waitFor();

  await start(page, 'Take a walk again', { session: 's-stopped' });
  await page.getByText('One more step.').nth(1).waitFor();
  await page.locator('.scroll').focus();
  await page.keyboard.press('Escape');
  await ended(page, 'stopped by owner');
  await steer(page, 'Tell me a story');
  await page.getByText('The end.').waitFor();
  assert.equal(await page.locator('[data-run]').count(), 2);
  assert.notEqual(session, 's-stopped');
  assert.deepEqual(page.violations, []);
  await page.context().close();
});

// Covers: RAO-62/web RAO-76/web
test('phases of strict are open while their step is at work, folded afterwards, and hidden on request', async () => {
  const page = await house.enter();
  await start(page, 'What time is it?', { flow: 'strict' });
  const first = page.locator('div.phase', { hasText: 'reason 1' });
  await first.getByRole('button', { expanded: true }).waitFor();
  await page.locator('li.ask').waitFor();
  const { asks } = await page.evaluate(() => fetch('/v1/asks?state=pending').then((r) => r.json()));
  await house.rein('answer', asks[0].id, 'yes');
  await ended(page, 'done');
  await first.getByRole('button', { expanded: false }).waitFor();
  await page.locator('div.phase', { hasText: 'observe 1' }).waitFor();
  await accessible(page, 'folded phases');
  await first.getByRole('button').click();
  await first.locator('.text', { hasText: 'First the clock.' }).waitFor();
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/v1/me/page') && answer.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Hide thoughts' }).click();
  await kept;
  await page.locator('[data-timeline] .phase').first().waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('It is noon.').waitFor();
  await page.getByRole('button', { name: 'Show thoughts' }).waitFor();
  assert.equal(await page.locator('[data-timeline] .phase').count(), 0);
  assert.deepEqual(page.violations, []);
  await page.context().close();
});

test('a call opens by keyboard and shows what it was and who allowed it', async () => {
  const page = await house.enter();
  await start(page, 'Please write it', { mode: 'edits' });
  await ended(page, 'done');
  await page.locator('.scroll').focus();
  for (let n = 0; n < 10 && !(await page.locator('li.tool:focus').count()); n++) await page.keyboard.press('j');
  await page.keyboard.press('o');
  const call = page.locator('.call');
  await call.getByText('plan.txt').first().waitFor();
  await call.getByText('mode edits: it can be undone').waitFor();
  await accessible(page, 'an open call');
  await page.keyboard.press('o');
  await call.waitFor({ state: 'detached' });

  // What it changed is undone from the same place: the undo shows what will change, and asks.
  await page.getByRole('complementary').getByText('plan.txt').waitFor();
  await page.keyboard.press('u');
  await allow(page);
  await page.locator('[data-run]').nth(1).locator('li.end').waitFor();
  await assert.rejects(readFile(`${house.dir}/work/plan.txt`));
  assert.deepEqual(page.violations, []);
  await page.context().close();
});

test('an edited message begins a branch, which names what the other one did and undoes it', async () => {
  const page = await house.enter();
  const session = await start(page, 'Tell me a story', { session: 's-trunk' });
  await ended(page, 'done');
  await start(page, 'Please write it', { session, mode: 'edits' });
  await page.locator('[data-run]').nth(1).waitFor();
  await ended(page, 'done');
  const before = (await told(page))[0];
  await page.locator('li.person', { hasText: 'Please write it' }).focus();
  await page.getByRole('button', { name: 'Edit and branch' }).last().click();
  await accessible(page, 'an edited message');
  await page.getByRole('textbox', { name: 'Edit and branch' }).fill('Do not write that');
  await page.getByRole('textbox', { name: 'Edit and branch' }).press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/s/') && !url.pathname.endsWith(session));
  await page.getByText('It stays in my head.').waitFor();
  await page.locator('[data-run]').nth(1).waitFor(); // what came before is read by itself
  assert.equal((await told(page))[0], before);
  await page.getByText('2/2').waitFor();
  await page.getByText('The other branch changed plan.txt.').waitFor();
  await accessible(page, 'a branch');
  await page.locator('li.person').getByRole('button', { name: 'Undo' }).click();
  await allow(page);
  await page.locator('[data-run]').nth(2).locator('li.end').waitFor();
  await assert.rejects(readFile(`${house.dir}/work/plan.txt`));
  await page.getByRole('button', { name: 'The branch before' }).click();
  await page.waitForURL(`**/s/${session}`);
  await page.getByText('It is in plan.txt.').waitFor();
  await page.getByText('1/2').waitFor();
  assert.deepEqual(page.violations, []);
  await page.context().close();
});

test('two users see nothing of each other', async () => {
  await house.rein('users', 'add', 'bob', 'member');
  const ann = await house.enter();
  const session = await start(ann, 'Tell me a story', { session: 's-private' });
  await ann.getByText('word3 ').first().waitFor();
  const bob = await house.enter({ user: 'bob' });
  await bob.goto(`${house.url}/s/${session}`);
  await bob.getByRole('textbox', { name: 'Message' }).waitFor();
  await bob.locator('.empty').waitFor();
  assert.equal(await bob.locator('[data-timeline]').count(), 0);
  assert.equal(await bob.getByText('story').count(), 0);
  assert.deepEqual(bob.violations, []);
  await ann.context().close();
  await bob.context().close();
});

// Covers: HUM-63/web
test('an answer about notes cites them, and a citation opens the note', async () => {
  const vault = new URL('../../examples/vault/', import.meta.url);
  const files = {};
  for (const name of await readdir(vault, { recursive: true })) {
    if (name.endsWith('.md')) files[`vault/${name}`] = await readFile(new URL(name.split('/').map(encodeURIComponent).join('/'), vault), 'utf8');
  }
  const notes = await openHouse({ settings: 'vault = "~/vault"\n', files, flow: 'answer' });
  try {
    const page = await notes.enter();
    await accessible(page, 'an empty chat');
    await page.getByRole('button', { name: 'What do my notes say about approvals?' }).click();
    await page.keyboard.press('Enter');
    await page.locator('[data-timeline] > li.end .end').filter({ hasText: 'done' }).waitFor();
    const cite = page.locator('[data-timeline] sup button').first();
    await cite.click();
    const note = page.getByRole('complementary', { name: /^Note / });
    await note.locator('.marked').waitFor();
    await accessible(page, 'a cited note');
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    assert.deepEqual(page.violations, []);
  } finally {
    await notes.close();
  }
});
