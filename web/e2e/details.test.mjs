// Small things that people use every day: formulas, copies of code, the list of things to do, Esc twice, another model.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, openHouse } from './rig.mjs';

const code = 'for (const seed of seeds) {\n\tsow(seed);\n}';
const script = `
when user~"formula"
say <<END
The sum $\\frac{1}{2} + \\sqrt{x}$ and

$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$
END

when user~"code"
say <<END
\`\`\`js
${code}
\`\`\`
END

when user~"list" results=0
call todo {"items":[{"id":1,"text":"Dig the bed","state":"done"},{"id":2,"text":"Sow garlic","state":"doing"}]}

when user~"list"
hang

when user~"horse"
say It is grey.

when
say Nothing more.
`;

let house, page;
before(async () => {
  house = await openHouse({
    script, settings: '[models.other]\nkind = "script"\nfile = "other.txt"\n',
    files: { '.config/rein/other.txt': 'model another-horse\nwhen\nsay It is black.\n' },
  });
  page = await house.enter({ permissions: ['clipboard-read', 'clipboard-write'] });
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
const ended = () => page.locator('li.end .end').waitFor();

test('formulas are MathML, which the policy of the page allows', async () => {
  await ask('A formula');
  await ended();
  const math = page.locator('[data-timeline] math');
  await math.nth(1).waitFor();
  const parts = await math.evaluateAll((all) => all.map((m) => ({ space: m.namespaceURI, has: ['mfrac', 'msqrt', 'mtable'].filter((name) => m.querySelector(name)) })));
  assert.deepEqual(parts.map((m) => m.has), [['mfrac', 'msqrt'], ['mtable']]);
  for (const { space } of parts) assert.equal(space, 'http://www.w3.org/1998/Math/MathML');
  const tops = (name) => page.locator(`[data-timeline] ${name}`).first().evaluate((e) => [...e.children].slice(0, 2).map((c) => c.getBoundingClientRect().top));
  for (const name of ['mfrac', 'mtable']) {
    const [first, second] = await tops(name);
    assert.ok(second > first + 4, `${name} is not laid out: ${first}, ${second}`);
  }
  assert.deepEqual(page.violations, []);
});

test('code is copied as it is', async () => {
  await ask('Some code');
  await ended();
  const figure = page.locator('figure.code');
  await figure.getByRole('button', { name: 'Copy' }).click();
  await figure.getByText('Copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
});

// Covers: HUM-62/web
test('the list of things to do stays in sight, and Esc twice stops at once', async () => {
  await ask('A list');
  const todo = page.getByRole('region', { name: 'Todo' });
  await todo.getByText('Sow garlic').waitFor();
  assert.ok(await todo.evaluate((e) => !e.closest('.scroll') && e.getBoundingClientRect().bottom <= innerHeight), 'it scrolls away with the conversation');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Todo.*1 of 2 done/ }).click();
  await page.locator('.strip').getByText('Sow garlic').waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await page.keyboard.press('Escape');
  await page.getByText('Stopping after this step…').waitFor();
  assert.equal(await page.locator('li.end').count(), 0, 'one Esc ends only at the next step, and the model hangs');
  await page.keyboard.press('Escape');
  await page.locator('li.end').getByText(/stopped at once/).waitFor();
});

test('a fork asks another model', async () => {
  await ask('Which horse?');
  await ended();
  const run = await page.locator('[data-run]').first().getAttribute('data-run');
  await page.goto(`${house.url}/runs/${run}`);
  await page.getByRole('list', { name: 'Steps' }).getByRole('link').filter({ hasText: 'act' }).last().click();
  await page.getByRole('button', { name: 'Fork here…' }).click();
  await page.getByLabel('Model').selectOption('other');
  await page.getByRole('button', { name: 'Start the fork' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(run));
  await page.locator('main header').getByText('done', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByText('It is black.').waitFor();
  assert.deepEqual(page.violations, []);
});
