// The table of runs and what can be seen and proved of one: time, prompts, events, audit, replay, forks, thumbs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const script = `
price in=3.00 out=15.00

when phase=act user="Which horse?" turn=1
say I will ask.
call todo {"items":[{"id":1,"text":"Ask which horse","state":"doing"}]}

when user="Which horse?" turn=2
fail overloaded "529 overloaded" times=1
call ask_user {"question":"The grey one?"}

when user="Which horse?" turn=3
say It is the grey mare.

when user~"forever"
hang

when
say I do not know.
`;

let house, page;
before(async () => {
  house = await openHouse({ script });
  page = await house.enter({ path: '/runs' });
});
after(async () => {
  await house.close();
  await closeBrowser();
});

/** start begins a run as any client of the API would, and returns its ID. */
async function start(text) {
  return await page.evaluate(async (text) => {
    const { csrf } = await fetch('/v1/me').then((r) => r.json());
    const task = { flow: 'operate', messages: [{ role: 'user', text }] };
    const sent = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
    return (await sent.json()).id;
  }, text);
}

const seen = (what, at = page) => accessible(at, what, 'main');
const row = (title) => page.getByRole('row').filter({ hasText: title });
const steps = () => page.getByRole('list', { name: 'Steps' });
const verdict = (text) => page.locator('.verdict', { hasText: text });
const kept = (path) => page.waitForResponse((r) => r.url().endsWith(path) && r.request().method() === 'PUT' && r.ok());

test('the table is live, filters, and a saved view survives a reload', async () => {
  await page.getByText('No runs yet.').waitFor();
  await seen('a table without runs');
  for (const text of ['What is a mare?', 'What is a foal?', 'Wait forever']) await start(text);
  await page.getByRole('button', { name: '3 new runs' }).click();
  await row('Wait forever').getByText('running').waitFor();
  await row('What is a foal?').getByText('done').waitFor();
  await seen('the table');

  await page.getByLabel('Status').selectOption('done');
  await row('Wait forever').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search' }).fill('foal');
  await row('What is a mare?').waitFor({ state: 'detached' });
  await page.waitForURL('**/runs?q=foal&status=done');
  await page.getByRole('button', { name: 'Save view' }).click();
  await seen('the dialog that saves a view');
  await page.getByLabel('Name').fill('Done foals');
  const saved = kept('/v1/me/page');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved;

  await page.goto(`${house.url}/runs`);
  await row('Wait forever').waitFor();
  await page.getByRole('link', { name: 'Done foals' }).click();
  await row('Wait forever').waitFor({ state: 'detached' });
  await page.reload();
  await row('What is a foal?').waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), 'done');
  assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'foal');
  assert.equal(await page.getByRole('row').count(), 2);
  await page.getByLabel('Cost at least').fill('1000');
  await page.keyboard.press('Tab');
  await page.getByText('No run matches these filters.').waitFor();
  await seen('a table in which nothing matches');
  await page.getByLabel('Cost at least').fill('');
  await page.keyboard.press('Tab');
  await row('What is a foal?').waitFor();
  await page.getByRole('link', { name: 'All runs' }).focus();

  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'What is a foal?' }).waitFor();
  assert.deepEqual(page.violations, []);
});

test('runs that are selected are stopped together, after one question that names them', async () => {
  await page.goto(`${house.url}/runs`);
  await row('Wait forever').waitFor();
  await start('Also wait forever');
  await page.getByRole('button', { name: '1 new run' }).click();
  await page.getByLabel('Select all that are shown').check();
  await page.getByRole('button', { name: 'Stop 2 runs' }).click();
  const dialog = page.getByRole('dialog');
  assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), ['Also wait forever operate', 'Wait forever operate']);
  await seen('the question before runs are stopped');
  await dialog.getByRole('button', { name: 'Stop 2 runs' }).click();
  await page.getByText('2 runs are stopping.').waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('.row')].filter((r) => r.textContent.includes('forever') && /stopped|stopping/.test(r.textContent)).length === 2);
  assert.deepEqual(page.violations, []);
});

let horse;

test('the waterfall says where the time went, and a step shows its prompt as it was sent', async () => {
  horse = await start('Which horse?');
  await page.goto(`${house.url}/runs/${horse}`);
  await steps().getByRole('link', { name: 'ask_user' }).waitFor();
  await page.locator('main').getByText('waiting for you').first().waitFor();
  await page.evaluate(async () => {
    const { csrf } = await fetch('/v1/me').then((r) => r.json());
    const { asks } = await fetch('/v1/asks?state=pending').then((r) => r.json());
    await fetch(`/v1/asks/${encodeURIComponent(asks[0].id)}/answer`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ state: 'answered', text: 'Yes, the grey one', shown: asks[0].shown }) });
  });
  await page.locator('main header').getByText('done', { exact: true }).waitFor();
  for (const kind of ['model', 'tool', 'person', 'limit']) await steps().locator(`.bar.${kind}`).first().waitFor();
  await seen('a waterfall');
  assert.equal(await page.title(), 'Which horse? · rein');
  const took = await steps().getByRole('listitem').filter({ hasText: 'todo' }).locator('.number').first().innerText();
  assert.match(took, /^\d+(\.\d)?\s(ms|s)$/, 'the time of a step as text');

  await steps().getByRole('link').filter({ hasText: 'todo' }).click();
  const call = page.getByRole('complementary');
  await call.getByRole('heading', { name: 'Call as the model wrote it' }).waitFor();
  const [wrote, noted] = await call.locator('figure.code').evaluateAll((all) => all.map((f) => f.querySelector('code').textContent));
  assert.deepEqual(JSON.parse(wrote), { items: [{ id: 1, text: 'Ask which horse', state: 'doing' }] });
  assert.deepEqual(Object.keys(JSON.parse(noted)).filter((key) => /^(name|args|raw_args)$/.test(key)), []);
  assert.match(noted, /"round"|"phase"|"human"/);
  await page.keyboard.press('Escape');

  const link = steps().getByRole('link').filter({ hasText: 'act' }).last();
  await link.focus();
  await page.keyboard.press('Enter');
  const detail = page.getByRole('complementary');
  await detail.getByText('It is the grey mare.').waitFor();
  const prompt = await detail.locator('.prompt').innerText();
  for (const part of ['Which horse?', 'I will ask.', 'The grey one?', 'Yes, the grey one']) assert.match(prompt, new RegExp(part.replace('?', '\\?')));
  await seen('a step');
  await page.reload();
  await detail.getByText('It is the grey mare.').waitFor();
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Events' }).click();
  const events = page.getByRole('list', { name: 'Events' });
  await page.getByLabel('Kind').selectOption('ask.opened');
  await events.getByRole('button').click();
  await events.getByText('"The grey one?"').waitFor();
  assert.equal(await events.getByRole('listitem').count(), 1);
  await seen('the events');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByText('It is the grey mare.').waitFor();
  assert.deepEqual(page.violations, []);
});

test('a replay is the same, and a fork with another text is compared word by word', async () => {
  await page.goto(`${house.url}/runs/${horse}?tab=replay`);
  await page.getByRole('button', { name: 'Replay' }).click();
  await verdict('The same').waitFor();
  await seen('a replay');

  await page.getByRole('link', { name: 'Waterfall' }).click();
  await steps().getByRole('link').filter({ hasText: 'act' }).last().click();
  await page.getByRole('button', { name: 'Fork here…' }).click();
  await page.getByLabel('What the step returned').fill('It is the black mare.');
  await seen('a fork');
  await page.getByRole('button', { name: 'Start the fork' }).click();
  await page.getByRole('link', { name: 'Compare with its origin' }).waitFor();
  await page.locator('main header').getByText('done', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Compare with its origin' }).click();
  await page.locator('.right mark', { hasText: 'black' }).waitFor();
  assert.equal(await page.locator('.left mark').innerText(), 'grey');
  await seen('two runs');
  await page.getByRole('link', { name: 'Swap' }).click();
  await page.locator('.left mark', { hasText: 'black' }).waitFor();
  assert.deepEqual(page.violations, []);
});

test('a thumb and its comment are kept', async () => {
  await page.goto(`${house.url}/runs/${horse}?tab=feedback`);
  await page.getByRole('button', { name: 'Good' }).click();
  await page.getByLabel('Comment').fill('It asked first.');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByText('Kept.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Good', pressed: true }).waitFor();
  assert.equal(await page.getByLabel('Comment').inputValue(), 'It asked first.');
  await seen('feedback');
  assert.deepEqual(page.violations, []);
});

test('on a phone runs are cards', async () => {
  const phone = await house.enter({ path: '/runs', viewport: { width: 390, height: 844 } });
  await phone.getByRole('row').filter({ hasText: 'Which horse?' }).first().waitFor();
  await seen('the table on a phone', phone);
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.querySelector('main').scrollWidth > innerWidth), false);
  await phone.getByRole('link', { name: 'Which horse?' }).first().click();
  await phone.getByRole('list', { name: 'Steps' }).waitFor();
  await seen('a run on a phone', phone);
  assert.deepEqual(phone.violations, []);
});

test('the audit passes, and says what is wrong after one number of the log was changed', async () => {
  const audit = `${house.url}/runs/${horse}?tab=audit`;
  await page.goto(audit);
  await verdict('all as they were written').waitFor();
  const chain = page.getByRole('list', { name: 'The chain' });
  assert.equal(await chain.getByRole('img', { name: 'as written' }).count(), await chain.getByRole('listitem').count());
  await seen('an audit');

  await house.stop();
  const db = new DatabaseSync(join(house.dir, '.local/share/rein/rein.db'));
  db.prepare('UPDATE events SET at = at + 1 WHERE seq = 4 AND run_n = (SELECT n FROM runs WHERE id = ?)').run(horse);
  db.close();
  await house.start();

  await page.goto(audit);
  await verdict('not what was written').waitFor();
  await page.getByText('event 4 is not what was written').waitFor();
  assert.match(await chain.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'wrong' }) }).first().innerText(), /^4\s/);
  await seen('an audit that found something');
  assert.deepEqual(page.violations, []);
});
