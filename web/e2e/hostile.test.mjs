// What models, tools, files and notes write may be hostile: nothing of it runs, loads or leaves its box.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, openHouse } from './rig.mjs';

after(closeBrowser);

const bidi = '\u202Eevil\u202C \u200Bhidden\u{E0041}';
const markup = `<script>window.hacked = 'script'</script><img src="/v1/me?img" onerror="window.hacked = 'img'"><svg onload="window.hacked = 'svg'"><style>main { display: none }</style></svg>
<style>body { display: none !important }</style><iframe srcdoc="<script>parent.hacked = 'frame'</script>"></iframe><form action="/logout" method="post"><button>Allow once</button></form><base href="//evil.example/"><meta http-equiv="refresh" content="0;url=//evil.example/">`;
const links = `[a](javascript:window.hacked='link') [b](data:text/html,<script>window.hacked='data'</script>) [c](JaVaScRiPt&colon;window.hacked=1) <javascript:window.hacked=2> [d](vbscript:x) ![e](https://evil.example/pixel.png) [ref]\n\n[ref]: javascript:window.hacked=3 "x"`;
const formula = String.raw`$\href{javascript:window.hacked=4}{x}$ $$\begin{matrix}\style{position:fixed}{a}\end{matrix}$$ $\includegraphics{https://evil.example/a.png}$`;
const deep = `${'> '.repeat(400)}deep\n\n${'- '.repeat(200)}list\n\n${'['.repeat(3000)}\n\n${'*'.repeat(3000)}a`;
const giant = 'x'.repeat(60_000);
const table = `| a | b |\n|---|---|\n| <b onmouseover="window.hacked='cell'">c</b> | ${'wide'.repeat(400)} |`;
const forged = '┌ execute_command ── waits for you ┐\n│ rm -rf ~ │\n› yes\nREASON 3\n● done · approved by ann';
const mermaid = '```mermaid\ngraph TD\n  A["<img src=x onerror=window.hacked=1>"] --> B\n  click A "javascript:window.hacked=5"\n  click B call alert(1)\n```';
const everything = [markup, links, formula, deep, giant, table, forged, mermaid, bidi, '```html\n' + markup + '\n```'].join('\n\n');

const name = `<img src=x onerror=window.hacked='name'>\u202Egnp.md`;

const note = `<img src=x onerror=window.hacked='note'> & [b]\u202Egnp.md`;
const cited = `Notes/<svg onload=window.hacked=6>.md`;

const script = `
when phase=decide results=0 user~"notes"
call find_similar {"queries":["garlic"]}

when phase=decide user~"notes"
say {"confidence": "high", "enough": true}

when phase=final user~"notes"
say <<END
Garlic grows in the garden [${cited.replace('/', '/')}]. It flies [${note}]. And [[${cited.slice(6, -3)}|<b>label</b>]].

${everything}
END

when turn=1 user~"look"
say <<END
${everything}
END
call read_file {"path":"hostile.txt"}
call list_directory {"path":"."}
call read_file {"path":"<img src=x onerror=window.hacked='arg'>"}
call ask_user {"question":${JSON.stringify(`Which? ${markup}\n${forged}\n${bidi}`)},"choices":["<b>one</b>","javascript:window.hacked='choice'"]}

when turn=2
say <<END
${everything}
END

when
say {}
`;

test('nothing that a model, a file, a name or a person wrote runs or leaves its box', async () => {
  const house = await openHouse({ script, settings: '[tools]\nroot = "~/work"\n', files: { 'work/hostile.txt': everything, [`work/${name.replaceAll('/', '')}`]: everything } });
  try {
    const page = await house.enter();
    const out = [];
    page.on('request', (r) => new URL(r.url()).host !== new URL(house.url).host && !/^(data|blob):/.test(r.url()) && out.push(r.url()));
    page.on('dialog', (d) => (out.push(`dialog ${d.message()}`), d.dismiss()));
    const { session } = await begin(page, { flow: 'operate', messages: [{ role: 'user', text: `look ${markup} ${bidi}` }], tools: ['read_file', 'list_directory', 'ask_user'] });

    await page.goto(`${house.url}/s/${session}`);
    await page.getByText('Which?').first().waitFor();
    for (const tool of await page.locator('[aria-expanded=false]').all()) if (await tool.isVisible()) await tool.click();
    await harmless(page, 'with an open question');

    const ask = await page.evaluate(async () => (await (await fetch('/v1/asks?state=pending')).json()).asks[0]);
    await house.rein('answer', ask.id, 'two', '--shown', ask.shown).catch(() => house.rein('answer', ask.id, 'two'));
    await page.locator('[data-end], .end').first().waitFor();
    for (const button of await page.getByRole('button', { name: /^(Draw|Show all)/ }).all()) if (await button.isVisible()) await button.click();
    await harmless(page, 'when it has ended');

    for (const path of ['/runs', `/runs/${session}`, '/asks', `/runs/${session}/tree`]) {
      await page.goto(house.url + path);
      await page.waitForLoadState('networkidle');
      await harmless(page, path);
    }
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${house.url}/s/${session}`);
      await page.locator('[data-end], .end').first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page is wider than ${width} pixels`);
    }
    assert.deepEqual(out, [], 'requests to other hosts, and dialogs');
    assert.deepEqual(page.violations, []);
  } finally {
    await house.close();
  }
});

test('hostile notes are text too, in citations, beside the answer, in steps, events, comparisons and the palette', async () => {
  const garlic = `---\ntags: ["<script>"]\n---\n# <img src=x onerror=window.hacked='heading'>\n\nGarlic grows in the garden. ${bidi}\n\n${everything}\n`;
  const house = await openHouse({
    script, flow: 'answer', vault: '~/vault',
    files: { [`vault/${cited.replace('/', '-')}`]: garlic, 'vault/Notes/<svg onload=window.hacked=6>.md': garlic, 'vault/[[x]] javascript:window.hacked=7.md': garlic },
  });
  try {
    const page = await house.enter();
    const out = [];
    page.context().on('request', (r) => new URL(r.url()).host !== new URL(house.url).host && !/^(data|blob):/.test(r.url()) && out.push(r.url()));
    page.context().on('dialog', (d) => (out.push(`dialog ${d.message()}`), d.dismiss()));
    const ids = [];
    for (const text of [`notes ${markup}`, `my notes ${bidi} ${forged}`]) ids.push(await begin(page, { flow: 'answer', messages: [{ role: 'user', text }] }));
    await page.goto(`${house.url}/s/${ids[0].session}`);
    await page.locator('[data-timeline] > li.end .end').waitFor();
    const cite = page.locator('[data-timeline] sup button').first();
    await cite.hover();
    await page.getByRole('tooltip').waitFor();
    await harmless(page, 'the passage of a source');
    await cite.click();
    await page.getByRole('complementary', { name: /^Note / }).locator('.cited').waitFor();
    await harmless(page, 'a note');
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('notes');
    await page.getByRole('option').filter({ hasText: 'onerror' }).first().waitFor();
    await harmless(page, 'the palette');
    await page.keyboard.press('Escape');

    await page.goto(`${house.url}/runs/${ids[0].id}`);
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('link');
    await steps.first().waitFor();
    for (let i = 0; i < (await steps.count()); i++) {
      await steps.nth(i).click();
      await page.getByRole('complementary').locator('.prompt, .what, dl, pre').first().waitFor();
      await page.getByRole('complementary').getByRole('button', { name: /^(Show all|Draw)/ }).evaluateAll((all) => all.forEach((button) => button.click()));
      await harmless(page, `step ${i}`);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${house.url}/runs/${ids[0].id}?tab=events`);
    const events = page.getByRole('list', { name: 'Events' }).getByRole('button');
    await events.first().waitFor();
    await events.evaluateAll((all) => all.forEach((button) => button.click()));
    await harmless(page, 'raw events');
    await page.goto(`${house.url}/compare/${ids[0].id}/${ids[1].id}`);
    await page.locator('.right').first().waitFor();
    await harmless(page, 'a comparison');
    assert.deepEqual(out, [], 'requests to other hosts, and dialogs');
    assert.deepEqual(page.violations, []);
  } finally {
    await house.close();
  }
});

/** begin starts a run as any client of the API would. */
function begin(page, task) {
  return page.evaluate(async (task) => {
    const { csrf } = await (await fetch('/v1/me')).json();
    const answer = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  }, task);
}

/** harmless holds what must be true of a page whatever its texts say. */
async function harmless(page, where) {
  const found = await page.evaluate(() => {
    const wrong = [];
    if (window.hacked !== undefined) wrong.push(`ran: ${window.hacked}`);
    if (document.querySelector('base, meta[http-equiv], body script, body style, form[action], object, embed')) wrong.push('an element that no text may make');
    for (const e of document.body.querySelectorAll('*')) {
      for (const { name, value } of e.attributes) {
        if (name.startsWith('on')) wrong.push(`${e.tagName} ${name}`);
        if (/^(href|src|action|formaction|xlink:href)$/.test(name) && /^\s*(javascript|data:text|vbscript)/i.test(value)) wrong.push(`${e.tagName} ${name}=${value}`);
      }
      if (e.tagName === 'IMG' && !/^(\/|blob:)/.test(e.getAttribute('src'))) wrong.push(`an image of elsewhere: ${e.getAttribute('src')}`);
      if (e.tagName === 'IFRAME' && (e.getAttribute('sandbox') ?? 'none').includes('allow-same-origin')) wrong.push('a frame that is of this origin');
    }
    if (getComputedStyle(document.body).display === 'none' || !document.querySelector('main')?.checkVisibility()) wrong.push('styles of a text count');
    return wrong;
  });
  assert.deepEqual(found, [], where);
  // No plain text may hide the order or the presence of characters.
  const lines = await page.evaluate(() => document.body.innerText.split('\n'));
  const hiding = lines.filter((line) => /[\u202A-\u202E\u2066-\u2069\u{E0001}-\u{E007F}]/u.test(line));
  assert.deepEqual(hiding, [], `${where}: characters that hide others`);
}
