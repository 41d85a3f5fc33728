// The page around the views: everything by name, keys, languages, themes, the tour, and a connection that says how it is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const settings = `vault = "~/vault"\n[tools]\nroot = "~/work"\n`;
const files = { 'work/note.md': 'one\n', 'vault/Garlic.md': '# Garlic\n\nGarlic grows best when it is planted in October.\n' };

let house, page;
before(async () => {
  house = await openHouse({ settings, files, flow: 'answer' });
  page = await house.enter();
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

const palette = async (text) => {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: /Everything|Alles/ });
  await field.waitFor();
  if (text) await field.fill(text);
  return field;
};

test('the first load is small', async () => {
  const fresh = await page.context().newPage();
  await fresh.goto(house.url);
  await fresh.getByRole('textbox', { name: 'Message' }).waitFor();
  const bytes = await fresh.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((e) => !new URL(e.name).pathname.startsWith('/v1/'))
      .reduce((sum, e) => sum + e.encodedBodySize, 0),
  );
  assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes} bytes`);
  await fresh.close();
});

test('the tour points at what is there, asks for real, and can be skipped and begun again', async () => {
  await page.getByRole('button', { name: 'Take the tour' }).click();
  const card = page.getByRole('dialog', { name: /reins|want|Watch|waits|happened|keyboard/ });
  await card.getByText('1 of 6').waitFor();
  await accessible(page, 'the tour');
  await page.keyboard.press('Enter'); // Next has the focus
  await card.getByText('2 of 6').waitFor();
  const ring = page.locator('.ring');
  const [at, field] = [await ring.boundingBox(), await page.locator('main form textarea').boundingBox()];
  assert.ok(at.x <= field.x && at.y <= field.y && at.x + at.width >= field.x + field.width, 'it is around the field');
  await card.getByRole('button', { name: /What is in my notes/ }).click();
  await page.waitForURL('**/s/*');
  await card.getByText('3 of 6').waitFor();
  await page.locator('main').getByText('What is in my notes?').first().waitFor();
  await card.getByRole('button', { name: 'Next' }).click();
  await card.getByRole('button', { name: 'Next' }).click();
  await card.getByText('5 of 6').waitFor();
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await card.getByText('1 of 6').waitFor();
  await card.getByRole('button', { name: 'Skip' }).click();
});

test('the palette finds sessions by what was said, places and acts, by keyboard', async () => {
  const field = await palette('notes');
  await page.getByRole('option', { name: 'What is in my notes?' }).waitFor();
  await accessible(page, 'the palette');
  await field.fill('runs');
  await page.getByRole('option', { name: 'Runs', exact: true, selected: true }).waitFor();
  await field.press('Enter');
  await page.waitForURL('**/runs');
  await page.getByRole('combobox', { name: 'Everything' }).waitFor({ state: 'detached' });
  await (await palette('what is in my notes')).press('ArrowDown');
  await page.getByRole('option', { name: 'What is in my notes?' }).click();
  await page.waitForURL('**/s/*');
  await (await palette('dark')).press('Enter');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await palette('zzzzqq');
  await page.getByText('Nothing is called so.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing is called so.').waitFor({ state: 'detached' }); // it gives the focus back
});

test('? lists the keys of the view, and single letters do not work while somebody types', async () => {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keys' });
  await list.getByText('everything', { exact: true }).waitFor();
  await list.getByText('Ctrl+K').waitFor();
  await accessible(page, 'the keys');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await page.keyboard.type('?n/');
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), '?n/');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('textbox', { name: 'Message' }).fill('');
});

test('both languages and themes, on every view', async () => {
  const run = (await page.evaluate(() => fetch('/v1/runs?roots=1').then((r) => r.json()))).runs[0];
  await page.goto(`${house.url}/settings`);
  for (const theme of ['light', 'dark']) {
    await page.locator('select').first().selectOption(theme);
    await accessible(page, `settings, ${theme}`);
  }
  await page.getByLabel('Language').selectOption('nl');
  await page.getByRole('heading', { name: 'Instellingen', level: 1 }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'nl');
  await page.getByRole('link', { name: 'Wacht op jou' }).click();
  await page.getByText('Niets wacht op jou.').waitFor();
  await accessible(page, 'an empty inbox in Dutch');
  for (const path of ['/nothing/here', `/s/${run.session}`]) {
    await page.evaluate((path) => history.pushState(null, '', path), path);
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await page.locator('main h1').first().waitFor();
    await accessible(page, path);
  }
  await (await palette('english')).press('Enter');
  await page.getByRole('link', { name: 'Settings' }).waitFor();
});

test('on a phone the bar is a drawer', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await accessible(page, 'the drawer');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('notifications are offered, and say nothing of what is asked', async () => {
  await page.evaluate(() => {
    window.asked = 0;
    Notification.requestPermission = async () => (window.asked++, 'granted');
  });
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Notifications are on.').waitFor();
  assert.equal(await page.evaluate(() => window.asked), 1);
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
});

test('without the server the page says so, and says when it is back', async () => {
  await house.kill();
  await page.getByText('No connection. What you see may be old.').waitFor();
  await accessible(page, 'offline');
  const other = await page.context().newPage();
  await house.start();
  await page.getByRole('button', { name: 'Try now' }).click({ timeout: 2000 }).catch(() => undefined); // it may be back by itself
  await page.getByText('Connected again.').waitFor();
  await other.close();
});

test('a page that is opened while the server does not answer comes by itself', async () => {
  await page.route('**/v1/me', (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { name: 'rein does not answer.' }).waitFor();
  await accessible(page, 'no server');
  await page.unroute('**/v1/me');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('who logs out sees how to come back, and a link works once', async () => {
  const link = await house.rein('login');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in to rein' }).waitFor();
  await page.getByText('rein login', { exact: true }).waitFor();
  await accessible(page, 'the log-in view');
  await page.goto(link);
  await page.getByRole('button').click();
  await page.getByRole('navigation', { name: 'rein' }).waitFor();
  await page.goto(link);
  await page.getByRole('button').click();
  await page.getByText(/make another|new one|used|rein login/i).first().waitFor();
  assert.deepEqual(page.violations, []);
});
