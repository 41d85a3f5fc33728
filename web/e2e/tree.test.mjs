// The tree of a run: live, as it was, and changed from outside.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, closeNotice, openHouse } from './rig.mjs';

const script = `
when phase=doubt
say {"uncertain": false}

when run=*.* phase=question user="Which hotel?" tool!~"cheap" any!~"cheap"
say {"missing": true, "question": "At what price?"}

when phase=question
say {"missing": false}

when run=*.* phase=split
say {"questions": []}

when phase=split
say {"questions": ["Which train?", "Which hotel?", "Which weather?", "Which museum?"]}

when run=*.* phase=act any~"Which beach?"
say The wide one.

when run=*.* phase=act any~"What follows is one part" any~"Which weather?"
hang

when run=*.* phase=act any~"What follows is one part" any~"Which museum?"
hang

when phase=act
say It is four hours away.

when
say The train at nine.
`;

let house, page, run;
before(async () => {
  house = await openHouse({ script, flow: 'explore' });
  page = await house.enter({ path: '/runs' });
  run = await page.evaluate(async () => {
    const { csrf } = await fetch('/v1/me').then((r) => r.json());
    const task = { flow: 'explore', settings: { clarify: false, questions: 0, depth: 1 }, messages: [{ role: 'user', text: 'Plan a trip.' }] };
    const sent = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
    return (await sent.json()).id;
  });
});
after(async () => {
  await house.close();
  await closeBrowser();
});

const seen = (what, at = page) => accessible(at, what, 'main');
const node = (title) => page.getByRole('treeitem').filter({ hasText: title });
const panel = () => page.getByRole('complementary');
const when = (title, word) => node(title).filter({ hasText: word }).waitFor();
async function tell(kind, text) {
  await panel().getByText(kind, { exact: true }).click();
  await panel().getByRole('textbox', { name: kind }).fill(text);
  await panel().getByRole('button', { name: 'Send' }).click();
  await closeNotice(page);
}

// Covers: TREE-3/web TREE-7/web
test('a tree is watched live, and its parts are deleted, changed, told something and answered', async () => {
  await page.goto(`${house.url}/runs/${run}/tree`);
  await when('Which train?', 'done');
  await when('Which weather?', 'running');
  await when('Which hotel?', 'waiting for you');
  await seen('a tree');

  await node('Which weather?').click();
  await tell('Comment', 'Look at the wind.');
  await node('Which weather?').getByRole('img', { name: 'Comment' }).waitFor();
  await tell('Message', 'And at the tide.');
  await panel().getByText('And at the tide.').waitFor();
  await seen('a part of a tree');
  await tell('Change', 'Which beach?');
  await when('Which beach?', 'done');
  await panel().getByText('The wide one.').waitFor();

  await node('Which museum?').click();
  await panel().getByRole('button', { name: 'Delete…' }).click();
  await seen('the question before a part is deleted');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await when('Which museum?', 'deleted');

  await node('Which hotel?').click();
  await panel().getByRole('textbox', { name: /answer/i }).fill('A cheap one');
  await panel().locator('[data-ready="true"]').waitFor();
  await panel().getByRole('button', { name: 'Answer', exact: true }).click();
  await when('Plan a trip.', 'done');
  assert.equal(await page.getByRole('treeitem').count(), 5); // those that ended stay
  assert.deepEqual(page.violations, []);
});

test('the slider shows the tree as it was, and back', async () => {
  await page.goto(`${house.url}/runs/${run}/tree`);
  await node('Which museum?').waitFor();
  const slider = page.getByRole('slider');
  await slider.fill('1');
  await page.getByText('You see it as it was at').waitFor();
  assert.deepEqual(await page.getByRole('treeitem').allInnerTexts().then((all) => all.map((t) => t.split('\n')[0])), ['Plan a trip.']);
  const all = Number(await slider.getAttribute('max'));
  const counts = [];
  for (const part of [0.25, 0.5, 0.75]) {
    await slider.fill(String(Math.round(all * part)));
    counts.push(await page.getByRole('treeitem').count());
  }
  assert.deepEqual(counts, [...counts].sort());
  await seen('a tree as it was');
  await slider.focus();
  await page.keyboard.press('End');
  await page.getByText('You see it as it is now.').waitFor();
  await slider.fill('1');
  await page.getByRole('button', { name: 'Live' }).click();
  await when('Which museum?', 'deleted');
  assert.deepEqual(page.violations, []);
});

test('keys move between the parts of a tree and open them, in the picture and in the list', async () => {
  await page.goto(`${house.url}/runs/${run}/tree`);
  await node('Plan a trip.').focus();
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim().split('?')[0]);
  await page.keyboard.press('ArrowRight');
  const first = await focused();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focused(), first);
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), first);
  await page.keyboard.press('Enter');
  await panel().getByRole('heading', { name: first }).waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  assert.equal(await focused(), first);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 1);
  await page.keyboard.press(' ');
  const width = () => node('Plan a trip.').evaluate((at) => at.getBoundingClientRect().width);
  const was = await width();
  await page.keyboard.press('-');
  assert.ok((await width()) < was);
  await page.keyboard.press('0');

  await page.getByRole('button', { name: 'List' }).click();
  await node('Plan a trip.').focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), first);
  await seen('a tree as a list');
  const phone = await house.enter({ path: `/runs/${run}/tree`, viewport: { width: 390, height: 844 } });
  await phone.getByRole('treeitem').filter({ hasText: 'Which hotel?' }).click();
  await phone.getByRole('complementary').waitFor();
  await seen('a tree on a phone', phone);
  assert.deepEqual([...page.violations, ...phone.violations], []);
});
