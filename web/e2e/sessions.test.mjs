// The list of sessions: found, pinned, renamed, archived, by keyboard too.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

after(closeBrowser);

test('sessions are found, pinned, renamed and archived', async () => {
  const house = await openHouse();
  try {
    const page = await house.enter();
    await page.evaluate(async () => {
      const { csrf } = await (await fetch('/v1/me')).json();
      for (const text of ['Fix the lamp', 'Week menu', 'Disk is full']) {
        const session = text.replaceAll(' ', '-');
        await fetch(`/v1/sessions/${session}/messages`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ text }) });
      }
    });
    const list = page.getByRole('region', { name: 'Sessions', exact: true });
    const titles = () => list.locator('[data-session] .title').allInnerTexts();
    const row = (name) => list.getByRole('link', { name });
    await row('Week menu').waitFor();
    await row('Disk is full').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await accessible(page, 'the list of sessions');

    // By keyboard: down to a session, pin it through its menu, rename it.
    await page.getByRole('searchbox', { name: 'Find a session' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await accessible(page, 'the acts of a session');
    await page.keyboard.press('Enter');
    await list.getByRole('heading', { name: 'Pinned' }).waitFor();
    assert.deepEqual(await titles(), ['Fix the lamp', 'Disk is full', 'Week menu']);
    await page.getByRole('searchbox', { name: 'Find a session' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Lamp of the hall');
    await page.keyboard.press('Enter');
    await row('Lamp of the hall').waitFor();

    // The server finds what people typed, not only titles.
    await page.getByRole('searchbox', { name: 'Find a session' }).fill('fix the lamp');
    await page.waitForFunction(() => document.querySelectorAll('[data-session]').length === 1);
    assert.deepEqual(await titles(), ['Lamp of the hall']);
    await page.getByRole('searchbox', { name: 'Find a session' }).fill('zebra');
    await page.getByText('No session has these words.').waitFor();
    await page.getByRole('searchbox', { name: 'Find a session' }).fill('');
    await row('Week menu').hover();
    await page.getByRole('button', { name: 'Actions for Week menu' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await row('Week menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await page.getByRole('region', { name: 'Archived sessions' }).getByRole('link', { name: 'Week menu' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing is archived.').waitFor();
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await row('Week menu').waitFor();
    assert.deepEqual(page.violations, []);
  } finally {
    await house.close();
  }
});
