// A whole day of work without a mouse: nothing here clicks, points or sets a value.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBrowser, openHouse } from './rig.mjs';

const script = `
when last~"write it"
say I write it down.
call write_file {"path":"plan.txt","content":"first\\n"}

when user~"write it" turn=2..
say That is all.

when user~"Which colour?"
say It is **blue**.

when any~"Slowly, please" turn=2..
say Slowly, then.

when user~"walk" results=..40
slow 150ms
say One more step.
call get_current_time {}

when
say I have nothing to add.
`;

let house, page;
before(async () => {
  house = await openHouse({ script, settings: '[tools]\nroot = "~/work"\n', files: { 'work/readme.txt': 'hello\n' } });
  page = await house.enter();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const focused = (selector) => page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);
const file = (name) => join(house.dir, 'work', name);
const exists = (name) => access(file(name)).then(() => true, () => false);
const endOf = (n) => page.locator('[data-run]').nth(n).locator('li.end .end');

/** write puts a message into the field that has the focus, and sends it. */
async function write(text) {
  await focused('form textarea');
  await page.keyboard.type(text);
  await press('Enter');
  await page.waitForFunction(() => document.querySelector('form textarea').value === '');
}

/** begin asks something in a new session: the field of one has the focus. */
async function begin(text) {
  await page.evaluate(() => document.activeElement.blur());
  await press('n');
  await page.waitForURL(`${house.url}/`);
  await write(text);
  await page.waitForURL('**/s/*');
}

/** toCard goes from the empty message up to what waits, and waits until it takes an answer. */
async function toCard() {
  const card = page.locator('[data-ask]');
  await card.waitFor();
  if (!(await card.evaluate((at) => at.contains(document.activeElement)))) {
    if (!(await page.locator('form textarea').evaluate((at) => at === document.activeElement))) await press('m');
    await focused('form textarea');
    await press('ArrowUp');
    await focused('[data-ask]');
  }
  return ready();
}
const ready = () => page.locator('[data-ask][data-ready=true]').waitFor();

test('ask, and read the answer', async () => {
  await write('Which colour?');
  await page.waitForURL('**/s/*');
  await page.locator('.model strong', { hasText: 'blue' }).waitFor();
  await endOf(0).filter({ hasText: 'done' }).waitFor();
});

test('allow, change the arguments, reject with a reason, and undo', async () => {
  await begin('Please write it');
  await toCard();
  await press('a');
  await endOf(0).filter({ hasText: 'done' }).waitFor();
  assert.equal(await readFile(file('plan.txt'), 'utf8'), 'first\n');

  await press('u');
  await toCard();
  await press('a');
  await endOf(1).waitFor();
  assert.equal(await exists('plan.txt'), false);

  await begin('Now write it elsewhere');
  await toCard();
  await press('e');
  await focused('[data-ask] input');
  await press('ControlOrMeta+a');
  await page.keyboard.type('other.txt');
  await ready();
  await press('Enter');
  await page.getByText('other.txt: new').waitFor();
  await toCard();
  await press('a');
  await endOf(0).filter({ hasText: 'done' }).waitFor();
  assert.deepEqual([await exists('other.txt'), await exists('plan.txt')], [true, false]);

  await begin('But do not write it');
  await toCard();
  await press('r');
  await focused('[data-ask] textarea');
  await page.keyboard.type('It is there already.');
  await ready();
  await press('Enter');
  await page.locator('.answered', { hasText: 'It is there already.' }).waitFor();
  await endOf(0).filter({ hasText: 'done' }).waitFor();
  assert.equal(await exists('plan.txt'), false);
});

test('steer, then stop', async () => {
  await begin('Take a walk');
  await page.getByText('One more step.').first().waitFor();
  await write('Slowly, please');
  await page.locator('.person', { hasText: 'Slowly, please' }).getByText(/applied at step \d/).waitFor();
  await endOf(0).filter({ hasText: 'done' }).waitFor();
  await page.getByText('Slowly, then.').waitFor();

  await begin('Take another walk');
  await page.getByText('One more step.').first().waitFor();
  await press('Escape');
  await endOf(0).filter({ hasText: 'stopped by owner' }).waitFor();
  await page.getByRole('complementary').getByText('stopped by owner').waitFor();
});

test('branch at an earlier message, and go between the branches', async () => {
  await begin('Which colour?');
  await endOf(0).filter({ hasText: 'done' }).waitFor();
  const from = page.url();
  await focused('form textarea');
  await press('ArrowUp');
  for (let n = 0; n < 5 && !(await page.locator('li.person:focus').count()); n++) await press('k');
  await focused('li.person');
  await press('Tab', 'Enter');
  await focused('li.person textarea');
  await press('ControlOrMeta+a');
  await page.keyboard.type('Which shape?');
  await press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/s/') && url.href !== from);
  await page.getByText('I have nothing to add.').waitFor();
  await page.getByText('2/2').waitFor();
  for (let n = 0; n < 40 && !(await page.getByRole('button', { name: 'The branch before' }).and(page.locator(':focus')).count()); n++) await press('Shift+Tab');
  await press('Enter');
  await page.waitForURL(from);
  await page.locator('.model strong', { hasText: 'blue' }).waitFor();
  assert.deepEqual(page.violations, []);
});
