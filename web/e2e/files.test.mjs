// Files of a session: chips, a look at each kind without leaving the page, and copies of them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { pdf, png } from './paper.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const bidi = 'invoice \u202Efdp.exe.pdf';
const files = {
  'garden map.pdf': ['application/pdf', pdf('Garden map')],
  'acts.pdf': ['application/pdf', pdf('Hello', "app.alert('hacked')")],
  'dot.png': ['image/png', png],
  'list.txt': ['text/plain', 'Sow garlic\nWeed the leeks\n'],
  'note.md': ['text/markdown', '# Heading\n\n**Bold** <script>window.hacked = 1</script> [x](javascript:window.hacked=2)\n'],
  'page.html': ['text/html', '<script>window.hacked = 3</script><h1>Not a page</h1>'],
  'drawing.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 4"><text>Drawn</text></svg>'],
  'pretends.png': ['image/png', '<script>window.hacked = 5</script>'],
  'data.bin': ['application/octet-stream', Buffer.from([1, 0, 2, 0])],
  [bidi]: ['text/html', '<b>hidden</b>'],
};

let house, page;
const out = [];
before(async () => {
  house = await openHouse({ script: 'when\nsay Thank you.\n' });
  page = await house.enter({ permissions: ['clipboard-read', 'clipboard-write'] });
  page.on('dialog', (d) => (out.push(d.message()), d.dismiss()));
  await page.locator('input[type=file]').first().setInputFiles(Object.entries(files).map(([name, [mimeType, buffer]]) => ({ name, mimeType, buffer: Buffer.from(buffer) })));
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Keep these.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('li.end .end').waitFor();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

const panel = () => page.getByRole('region', { name: 'Files' });
const dialog = () => page.getByRole('dialog');
async function look(name) {
  await panel().getByRole('button', { name: `Preview ${name}` }).click();
  await dialog().locator('[role=status]').waitFor({ state: 'detached' });
}
async function close() {
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
}

test('each kind of file is shown as what it is', async () => {
  await panel().waitFor();
  await accessible(page, 'files of a session');
  await look('dot.png');
  await dialog().getByRole('img', { name: 'Image dot.png' }).waitFor();
  assert.equal(await dialog().getByRole('img').evaluate((img) => img.naturalWidth), 1);
  await accessible(page, 'a look at a picture');
  await close();
  await look('list.txt');
  await dialog().getByText('Weed the leeks').waitFor();
  await accessible(page, 'a look at a text');
  await close();
  await look('note.md');
  await dialog().getByRole('heading', { name: 'Heading' }).waitFor();
  await close();
  await look('data.bin');
  await dialog().getByText('This kind of file cannot be shown here.').waitFor();
  await close();
});

test('a PDF is shown by the browser, unless something in it acts', async () => {
  await look('garden map.pdf');
  await dialog().locator('iframe').waitFor();
  while (!page.frames().some((f) => f.url().startsWith('chrome-extension:'))) await page.waitForEvent('framenavigated'); // its viewer
  await close();
  await look('acts.pdf');
  await dialog().getByText('This PDF has scripts or forms').waitFor();
  assert.equal(await dialog().locator('iframe').count(), 0);
  assert.deepEqual(await dialog().getByRole('link', { name: 'Open' }).evaluate((a) => [a.target, a.rel, a.protocol]), ['_blank', 'noopener', 'blob:']);
  await close();
  assert.deepEqual(out, [], 'dialogs over the page');
});

test('a copy is the same bytes, and the name can be copied', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), panel().getByRole('link', { name: 'Download garden map.pdf' }).click()]);
  assert.equal(download.suggestedFilename(), 'garden map.pdf');
  assert.equal(await readFile(await download.path(), 'latin1'), files['garden map.pdf'][1]);
  await look('list.txt');
  await dialog().getByRole('button', { name: 'Copy path' }).click();
  await dialog().getByText('Copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'list.txt');
  await close();
});

test('a hostile file is a text, whatever it says that it is', async () => {
  for (const [name, words] of [['page.html', '<script>window.hacked = 3</script>'], ['drawing.svg', 'onload="window.hacked = 4"'], ['pretends.png', '<script>window.hacked = 5</script>']]) {
    await look(name);
    await dialog().getByText(words).first().waitFor();
    assert.equal(await dialog().locator('iframe, img, svg[onload], h1').count(), 0, name);
    await close();
  }
  const names = await panel().locator('.name').allInnerTexts();
  assert.equal(names.length, Object.keys(files).length);
  assert.deepEqual(names.filter((n) => /[\u202A-\u202E]/.test(n)), [], 'a name that hides what it is');
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual([out, page.violations], [[], []]);
});
