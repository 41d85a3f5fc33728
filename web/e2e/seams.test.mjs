// Where a page can disagree with what the run recorded: texts that come twice, waits without a word, diffs that are cut.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, openHouse } from './rig.mjs';

const lines = Array.from({ length: 120 }, (_, n) => `line ${n}`).join('\\n');
const script = `
when phase=decide results=0
call find_similar {"queries":["garlic"]}

when phase=decide
say {"confidence": "high", "enough": true}

when phase=final user~"newline"
say <<END
Garlic grows in the garden [Garden.md]. It flies to the moon [Ghost.md].

END

when phase=final user~"slowly"
say Garlic grows in the garden [Garden.md]. It flies to the moon [Ghost.md], and to Mars [[Ghost|a ghost]]. ${'Then it sleeps. '.repeat(20)}
drip 60ms

when user~"think"
hang

when user~"write" turn=1
call write_file {"path":"long.txt","content":"${lines}\\n"}

when
say Nothing more.
`;

let house, page;
before(async () => {
  house = await openHouse({ script, settings: '[tools]\nroot = "~/work"\n', vault: '~/vault', files: { 'work/a.txt': 'a\n', 'vault/Garden.md': '# Garden\n\nGarlic grows in the garden.\n' } });
  page = await house.enter();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

async function start(flow, text, more = {}) {
  const session = await page.evaluate(
    async (task) => {
      const { csrf } = await (await fetch('/v1/me')).json();
      const answer = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()).session;
    },
    { flow, messages: [{ role: 'user', text }], ...more },
  );
  await page.goto(`${house.url}/s/${session}`);
  return session;
}

const count = async (text) => (await page.locator('[data-timeline]').first().innerText()).split(text).length - 1;

test('an answer that ends in a newline and has a source that is none stands there once', async () => {
  await start('answer', 'With a newline?');
  await page.locator('li.end .end').waitFor();
  assert.equal(await count('Garlic grows in the garden'), 1);
  assert.equal(await count('It flies to the moon'), 1);
  assert.deepEqual(await page.locator('[data-timeline] sup button').allInnerTexts(), ['1'], 'an invented source is a source');
  await page.reload();
  await page.locator('li.end .end').waitFor();
  assert.equal(await count('Garlic grows in the garden'), 1, 'after a reload');
});

test('while an answer is written, only what a tool has returned is a source', async () => {
  await start('answer', 'Answer slowly.');
  const answer = page.locator('li.model').filter({ hasText: 'to Mars' });
  await answer.filter({ hasText: 'Then it sleeps' }).waitFor();
  const now = await page.evaluate(() => ({
    numbers: [...document.querySelectorAll('li.model sup button')].map((b) => b.getAttribute('aria-label')),
    unchecked: [...document.querySelectorAll('li.model .unchecked')].map((e) => e.textContent),
    ended: !!document.querySelector('li.end'),
  }));
  assert.deepEqual(now, { numbers: ['Source 1: Garden.md'], unchecked: ['Ghost.md', 'Ghost'], ended: false });
  await page.locator('li.end .end').waitFor();
  const sources = await page.locator('[data-timeline] sup button').evaluateAll((all) => all.map((b) => b.getAttribute('aria-label')));
  assert.deepEqual(sources, ['Source 1: Garden.md'], 'the number is the same when it has been checked');
  assert.equal(await page.locator('.unchecked').count(), 0, 'what is checked is not unchecked');
  assert.deepEqual(page.violations, []);
});

test('while a model thinks there are words, and what people say meanwhile is seen', async () => {
  const session = await start('operate', 'Now think.');
  const status = page.getByRole('status').filter({ hasText: /\p{L}{3}/u }).first();
  await status.waitFor();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Hurry up.');
  await message.press('Enter');
  await page.locator('li.person').filter({ hasText: 'Hurry up.' }).waitFor();
  await page.evaluate(async (session) => {
    const { csrf } = await (await fetch('/v1/me')).json();
    const { runs } = await (await fetch(`/v1/runs?session=${encodeURIComponent(session)}`)).json();
    await fetch('/v1/commands', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ kind: 'modify', run: runs[0].id, text: 'Say nothing instead.' }) });
  }, session);
  await page.locator('li.person').filter({ hasText: 'Say nothing instead.' }).waitFor();
});

test('a long diff says how much of it is hidden, and shows all of it', async () => {
  await start('operate', 'Now write.', { tools: ['write_file'] });
  await page.getByText('line 0', { exact: true }).waitFor();
  const all = page.getByRole('button', { name: /show all/i }).first();
  await all.click();
  await page.getByText('line 119', { exact: true }).waitFor();
  assert.deepEqual(page.violations, []);
});
