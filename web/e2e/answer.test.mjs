// An answer about notes as it is written: its plan, what it looked up, its sources, and the files that belong to it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const long = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
const script = `
when phase=decide results=0 user~"garlic"
call find_similar {"queries":["garlic"],"k":5}

when phase=decide results=0 user~"map"
call find_similar {"queries":["garden map"],"k":5}

when phase=decide
say {"confidence": "high", "enough": true}

when phase=final user~"map"
say The way is on [Maps/garden map.pdf].

when phase=final
drip 40ms
say Garlic grows in the garden [Garden.md]. It flies to the moon [Ghost.md].
say
say ${long}.
`;

let house, page;
before(async () => {
  house = await openHouse({
    script, flow: 'answer', vault: '~/vault',
    files: { 'vault/Garden.md': '# Garden\n\nGarlic grows in the garden.\n', 'vault/Maps/garden map.pdf': '%PDF-1.4\n' },
  });
  page = await house.enter();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

async function ask(text) {
  await page.goto(house.url);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/s/*');
}
const ended = () => page.locator('li.end .end').filter({ hasText: 'done' }).waitFor();

// Covers: HUM-10/web HUM-60/web HUM-61/web HUM-62/web
test('a plan, then what it looked up, then an answer that grows and whose sources are checked', async () => {
  await ask('Where does garlic grow?');
  await page.locator('.model', { hasText: 'word5 ' }).waitFor();
  assert.equal(await page.locator('li.end').count(), 0); // it is still being written
  await ended();
  await page.locator('[data-timeline]').getByText('word59.').waitFor();

  const kinds = await page.locator('[data-timeline] > li').evaluateAll((all) => all.map((li) => li.className.split(' ')[0]));
  assert.ok(kinds.indexOf('plan') > 0 && kinds.indexOf('plan') < kinds.indexOf('tool') && kinds.indexOf('tool') < kinds.indexOf('model'), kinds.join());
  const chip = page.locator('li.tool');
  assert.match((await chip.innerText()).replace(/\s+/g, ' '), /find_similar garlic .*\d+ m?s$/);

  await page.getByRole('button', { name: /^Source 1: Garden\.md/ }).hover();
  await page.getByRole('tooltip').getByText('Garlic grows in the garden.').waitFor();
  await page.getByText('(Ghost.md: not found in the sources)').waitFor();
  assert.equal(await page.locator('sup button').count(), 1);
  await accessible(page, 'an answer with a source that nothing supports');
});

// Covers: HUM-92/web
test('a file that is no note is found by its name and offered to be opened', async () => {
  await ask('Where is the map?');
  await ended();
  await page.locator('sup button').first().click();
  const panel = page.getByRole('complementary', { name: /^Note / });
  await panel.getByText('This is a file, not a note. Open it in its own program.').waitFor();
  assert.match(await panel.getByRole('link', { name: 'Open in Obsidian' }).getAttribute('href'), /^obsidian:.*garden%20map/);
  const waiting = page.waitForEvent('download');
  await panel.getByRole('link', { name: 'Download' }).click();
  assert.equal((await waiting).suggestedFilename(), 'garden map.pdf');
  assert.deepEqual(page.violations, []);
});

// Covers: RAO-34/web
test('the number of steps: out of its range it is set right and says so; what is no number starts nothing', async () => {
  const session = await page.evaluate(async () => {
    const { csrf } = await (await fetch('/v1/me')).json();
    const task = { flow: 'strict', session: 's-steps', settings: { max_steps: 300 }, messages: [{ role: 'user', text: 'Take your time' }] };
    await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
    return task.session;
  });
  await page.goto(`${house.url}/s/${session}`);
  const notice = page.locator('p.rein', { hasText: 'max_steps is' });
  const most = /max_steps is (\d+) instead of 300/.exec(await notice.innerText())?.[1];
  await page.getByRole('complementary').getByText(`round 1 of ${most}`).waitFor();

  await page.goto(house.url);
  await page.getByRole('button', { name: /^How it works/ }).click();
  const form = page.getByRole('dialog', { name: 'How it works' });
  await form.getByLabel('Flow').selectOption('strict');
  await form.getByRole('spinbutton', { name: /Max steps/ }).focus();
  await page.keyboard.type('e');
  await form.getByText('This must be a number.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Count');
  await page.keyboard.press('Enter');
  await page.getByText('Max steps: This must be a number.').waitFor();
  const { runs } = await page.evaluate(async () => (await fetch('/v1/runs')).json());
  assert.deepEqual(runs.filter((run) => run.title === 'Count'), []);
  assert.deepEqual(page.violations, []);
});
