// Diagrams are drawn on request, in a frame that has nothing: no origin, no network, no door to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const kinds = {
  flowchart: ['flowchart TD\n  A[Garlic & leeks] -->|grows| B{Is it ripe?}\n  subgraph Kitchen\n    B --> C((Soup))\n  end\n  style C fill:#f9f,stroke:#333\n  classDef hot color:#f00\n  class B hot', ['Garlic & leeks', 'grows', 'Kitchen', 'Soup']],
  sequence: ['sequenceDiagram\n  participant Ann\n  Ann->>Bob: Is the soup hot?\n  Note over Ann,Bob: They are hungry\n  loop every minute\n    Bob-->>Ann: Not yet\n  end', ['Ann', 'Is the soup hot?', 'They are hungry', 'Not yet']],
  mindmap: ['mindmap\n  root((Garden))\n    Garlic\n      [in winter]\n    Leeks', ['Garden', 'Garlic', 'in winter', 'Leeks']],
  class: ['classDiagram\n  class Pot {\n    +int litres\n    +boil() Soup\n  }\n  Pot <|-- Pan', ['Pot', 'litres', 'Pan']],
  state: ['stateDiagram-v2\n  [*] --> Raw\n  Raw --> Cooked : boil', ['Raw', 'Cooked', 'boil']],
  er: ['erDiagram\n  GARDEN ||--o{ PLANT : holds\n  PLANT {\n    string name\n  }', ['GARDEN', 'PLANT', 'holds', 'name']],
  gantt: ['gantt\n  title Year\n  dateFormat YYYY-MM-DD\n  section Beds\n  Sow garlic :a1, 2026-10-01, 30d\n  Weed :after a1, 20d', ['Year', 'Sow garlic', 'Beds']],
  journey: ['journey\n  title Lunch\n  section Cook\n    Peel onions: 2: Ann\n    Eat: 5: Ann, Bob', ['Lunch', 'Peel onions', 'Eat']],
  timeline: ['timeline\n  title Days\n  Monday : Sow\n  Tuesday : Rest : Read', ['Days', 'Monday', 'Sow', 'Read']],
  pie: ['pie title Beds\n  "Garlic" : 60\n  "Leeks" : 40', ['Beds', 'Garlic', '60%']],
  git: ['gitGraph\n  commit id: "sow"\n  branch spring\n  commit id: "weed"\n  checkout main\n  merge spring', ['sow', 'weed', 'spring']],
  quadrant: ['quadrantChart\n  title Beds\n  x-axis Dry --> Wet\n  y-axis Dark --> Bright\n  Mint: [0.7, 0.3]', ['Beds', 'Dry', 'Mint']],
  xychart: ['xychart-beta\n  title "Harvest"\n  x-axis [June, July]\n  y-axis "Kilos" 0 --> 10\n  bar [3, 8]', ['Harvest', 'June', 'Kilos']],
  kanban: ['kanban\n  Todo\n    [Sow garlic]\n  Done\n    [Buy seed]', ['Todo', 'Sow garlic', 'Buy seed']],
  requirement: ['requirementDiagram\n  requirement water {\n    id: 1\n    text: beds are wet\n    risk: high\n    verifymethod: test\n  }', ['water', 'beds are wet']],
};

const evil = 'https://evil.example';
const hostile = {
  'handlers and links': ['flowchart TD\n  A[start] --> B[stop]\n  click A "javascript:parent.hacked=1"\n  click B call alert(1)\n  click A href "' + evil + '" _top', ['start']],
  'HTML in labels': [`flowchart TD\n  A["<img src=x onerror=parent.hacked=2><b style='position:fixed'>bold</b><style>svg{display:none}</style><script>parent.hacked=3</script>"] --> B[stop]`, ['stop']],
  directives: [`%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "* { background: url(${evil}/a) !important; display: none }", "fontFamily": "x; } @import url(${evil}/b)"}}%%\nflowchart TD\n  A["<i>in</i> italics"] --> B[stop]`, ['stop']],
  'front matter': [`---\ntitle: Kept <b style="color:red">words</b>\nconfig:\n  securityLevel: loose\n  layout: elk\n  look: handDrawn\n  themeVariables:\n    primaryColor: "url(${evil}/c)"\n---\nflowchart TD\n  A --> B[stop]`, ['stop']],
  'a marker that loads': [`gantt\n  dateFormat YYYY-MM-DD\n  todayMarker filter:url(${evil}/a.svg#b),background-image:url(${evil}/d)\n  section Beds\n  Sow :a1, 2026-10-01, 300d`, ['Sow']],
  'a class that loads': [`stateDiagram-v2\n  classDef x background-image:url(${evil}/e),filter:url(${evil}/f)\n  [*] --> Stop\n  class Stop x`, ['Stop']],
  'parts of the frame': ['flowchart TD\n  diagram[one] --> ddiagram[two]\n  ddiagram --> x[stop]', ['one', 'stop']],
  'links of participants': [`sequenceDiagram\n  participant A\n  link A: Board @ javascript:parent.hacked=4\n  links A: {"Site": "${evil}"}\n  A->>A: hello`, ['hello']],
  'formulas': ['flowchart TD\n  A["$$\\\\href{javascript:parent.hacked=5}{x}$$"] --> B[stop]', ['stop']],
};
const refused = {
  'a picture of elsewhere': [`flowchart TD\n  A@{ img: "${evil}/p.png", label: "x", w: 60, h: 60 } --> B`, /cannot be drawn/],
  'no diagram': ['flowchart TD\n  A[[[ --> ', /cannot be drawn.*(Parse|Lexical) error/s],
  'a kind that is not in the page': ['architecture-beta\n  group api(cloud)[API]', /does not draw this kind/],
  'too many characters': [`flowchart TD\n${Array.from({ length: 2500 }, (_, i) => `  n${i} --> m`).join('\n')}`, /more than 20k characters/],
  'too many edges': [`flowchart TD\n${Array.from({ length: 1200 }, (_, i) => `  a${i % 50} --> b`).join('\n')}`, /cannot be drawn/],
  'endless': [`mindmap\n r\n${Array.from({ length: 4500 }, () => '  a').join('\n')}`, /not done after 10 s/],
};

const script = [['kinds', kinds], ['hostile', hostile], ['refused', refused]].map(([name, all]) => `when user~"${name}"\nsay <<END\n${Object.values(all).map(([text]) => '```mermaid\n' + text + '\n```\n').join('\n')}\nEND\n`).join('\n');

let house, page;
const out = [];
before(async () => {
  house = await openHouse({ script });
  page = await house.enter({ colorScheme: process.env.DARK ? 'dark' : 'light' });
  page.on('request', (r) => new URL(r.url()).host !== new URL(house.url).host && !/^(data|blob):/.test(r.url()) && out.push(r.url()));
  page.on('dialog', (d) => (out.push(`dialog ${d.message()}`), d.dismiss()));
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

/** show opens a session in which a model writes diagrams, and returns them. */
async function show(name) {
  const session = await page.evaluate(async (text) => {
    const { csrf } = await (await fetch('/v1/me')).json();
    const answer = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task: { flow: 'operate', messages: [{ role: 'user', text }] } }) });
    return (await answer.json()).session;
  }, name);
  await page.goto(`${house.url}/s/${session}`);
  await page.locator('li.end .end').waitFor();
  return page.locator('figure.code');
}

/** drawn clicks, and returns the picture. */
async function drawn(figure) {
  await figure.getByRole('button', { name: 'Draw' }).click();
  await figure.locator('iframe:visible').or(figure.getByRole('alert')).waitFor();
  assert.equal(await figure.getByRole('alert').allInnerTexts().then(String), '');
  return figure.frameLocator('iframe').locator('svg').first();
}

const textOf = async (svg) => (await svg.evaluate((e) => [...e.querySelectorAll('text')].map((t) => t.textContent).join(' '))).replace(/\s+/g, ' ');

test('diagrams are drawn as pictures with text, in a frame without an origin', async () => {
  const figures = await show('kinds');
  assert.equal(await page.locator('iframe').count(), 0, 'nothing is drawn before somebody asks');
  for (const [i, [name, [, words]]] of Object.entries(kinds).entries()) {
    const figure = figures.nth(i);
    const svg = await drawn(figure);
    const text = await textOf(svg);
    for (const word of words) assert.ok(text.includes(word), `${name}: no ${word} in ${text}`);
    const { height } = await figure.locator('iframe').boundingBox();
    assert.ok(height > 60 && height < 2001, `${name} is ${height} high`);
    if (process.env.SHOTS) await figure.locator('iframe').screenshot({ path: `${process.env.SHOTS}/${name}.png` });
  }
  const frame = page.frames().find((f) => f.url().endsWith('/diagram.html'));
  assert.equal(await frame.evaluate(() => origin), 'null');
  assert.match(await frame.evaluate(() => fetch('/v1/me').then(() => 'reached the server', String)), /Failed to fetch/);
  assert.equal(await frame.evaluate(() => { try { return parent.document.title; } catch (err) { return err.name; } }), 'SecurityError');
  page.violations.splice(0, Infinity, ...page.violations.filter((v) => !v.includes('/v1/me'))); // the one that this test made
  await accessible(page, 'diagrams', 'main');
  await figures.first().getByRole('button', { name: 'Show the text' }).click();
  await figures.first().getByText('A[Garlic & leeks]').waitFor();
  assert.deepEqual(page.violations, []);
});

test('a hostile diagram is a picture and nothing else', async () => {
  const figures = await show('hostile');
  for (const [i, [name, [, words]]] of Object.entries(hostile).entries()) {
    const svg = await drawn(figures.nth(i));
    const text = await textOf(svg);
    for (const word of words) assert.ok(text.includes(word), `${name}: no ${word} in ${text}`);
    await svg.evaluate((e) => e.querySelectorAll('*').forEach((part) => part.dispatchEvent(new MouseEvent('click', { bubbles: true }))));
  }
  for (const frame of page.frames().slice(1)) {
    const odd = await frame.evaluate(() => [...document.body.querySelectorAll('a, script, img, image, foreignObject, iframe, form, [onclick], [href^="http"], [href^="java"]')].map((e) => e.outerHTML.slice(0, 200)));
    assert.deepEqual(odd, []);
    assert.equal(await frame.evaluate(() => document.querySelector('svg').checkVisibility()), true, 'rules of a text count');
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual([out, page.violations], [[], []]);
});

test('what cannot be drawn says so in words, and the page works meanwhile', async () => {
  const figures = await show('refused');
  for (const [i, [name, [, words]]] of Object.entries(refused).entries()) {
    await figures.nth(i).getByRole('button', { name: 'Draw' }).click();
    if (name === 'endless') {
      await figures.nth(i).getByRole('status').waitFor();
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('typed meanwhile', { timeout: 5000 });
    }
    const failure = figures.nth(i).getByRole('alert');
    await failure.waitFor();
    assert.match(await failure.innerText(), words, name);
    assert.equal(await figures.nth(i).locator('iframe').count(), 0, `${name}: its frame is still there`);
  }
  assert.deepEqual([out, page.violations], [[], []]);
});
