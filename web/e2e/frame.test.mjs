// The frame of the page: it opens with a log-in link, knows who is there, and goes from view to view.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

after(closeBrowser);

test('a log-in link leads to the page, and its views are links', async () => {
  const house = await openHouse();
  try {
    const page = await house.enter();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.waitForURL('**/runs');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('nl');
    await page.getByRole('heading', { name: 'Instellingen' }).waitFor();
    await accessible(page, 'settings');
    assert.deepEqual(page.violations, []);
  } finally {
    await house.close();
  }
});
