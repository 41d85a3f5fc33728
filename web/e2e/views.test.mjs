// Every view, light and dark, wide and on a phone: accessible, no wider than the screen, with a title of its own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { accessible } from './axe.mjs';
import { views } from './views.mjs';

test('every view is accessible in every look', async () => {
  const titles = new Map();
  await views(async (page, name, size, colours) => {
    const what = [name, colours, size].filter(Boolean).join(', ');
    await accessible(page, what);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${what}: wider than the screen`);
    titles.set(name, await page.title());
  });
  assert.equal(titles.size, 12);
  for (const [name, title] of titles) assert.match(title, /\S.*\brein\b/, `${name}: ${title}`);
});
