// Checks what is on the screen with axe-core, by the rules of WCAG 2.2 AA.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * accessible fails with what axe finds wrong on the page as it is, or in the part that a selector names. It looks again
 * before it fails: while a view is being put together, a part of it can be missing or half faded in.
 */
export async function accessible(page, what, part = 'html') {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  let found = await wrong(page, part);
  for (let again = 0; found && again < 3; again++) {
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestIdleCallback(done, { timeout: 1000 }), 200)));
    found = await wrong(page, part);
  }
  assert.equal(found, '', `${what}: not accessible`);
}

async function wrong(page, part) {
  const { violations } = await page.evaluate((part) =>
    axe.run(part, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }), part,
  );
  return violations.map((v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 4).map((n) => `    ${n.target} ${n.failureSummary?.replaceAll('\n', ' ')}`).join('\n')}`).join('\n');
}
