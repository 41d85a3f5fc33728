// What asks for attention, and what must not: flashes, focus, notices of the browser, the first words of a status, and a
// note beside the text that cites it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

const filler = Array.from({ length: 80 }, (_, n) => `Line ${n} is about soil and rain.`).join('\n\n');
const garden = `---\ntags: [garden]\n---\n# Garden\n\n${filler}\n\n## Garlic\n\nGarlic is planted in October, two fingers deep.\n\n## Leeks\n\n${filler}\n`;

const script = `
when phase=decide results=0 user~"garlic"
call find_similar {"queries":["When is garlic planted?"],"k":1}

when phase=decide
say {"confidence": "high", "enough": true}

when phase=final user~"garlic"
say Garlic is planted in October [Garden.md#Garlic].

when last~"ask me"
call ask_user {"question":"Which secret garden?"}

when turn=1 user~"write it"
call write_file {"path":"secret.txt","content":"secret\\n"}

when user~"think long"
hang

when
say Done.
`;

let house;
before(async () => {
  house = await openHouse({ script, vault: '~/vault', settings: '[tools]\nroot = "~/work"\n', files: { 'vault/Garden.md': garden, 'work/a.txt': 'a\n' } });
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

async function begin(page, text, more = {}) {
  return await page.evaluate(
    async (task) => {
      const { csrf } = await (await fetch('/v1/me')).json();
      const answer = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
      if (!answer.ok) throw new Error(await answer.text());
      return await answer.json();
    },
    { flow: 'operate', messages: [{ role: 'user', text }], ...more },
  );
}

// Covers: HUM-63/web
test('a citation opens its note beside the text, at the heading, with what was cited marked', async () => {
  const page = await house.enter();
  const { session } = await begin(page, 'When is garlic planted?', { flow: 'answer' });
  await page.goto(`${house.url}/s/${session}`);
  await page.locator('li.end .end').waitFor();
  const cite = page.locator('[data-timeline] sup button').first();
  await cite.click();
  const note = page.getByRole('complementary', { name: /^Note / });
  const marked = note.locator('.marked');
  await marked.getByText('Garlic is planted in October').waitFor();
  assert.doesNotMatch(await marked.innerText(), /soil and rain/, 'more is marked than was cited');
  assert.match(await note.locator('.text').innerText(), /soil and rain/, 'what stands around it');
  const [box, words, text] = [await note.boundingBox(), await marked.boundingBox(), await cite.evaluate((e) => e.closest('p').getBoundingClientRect().toJSON())];
  assert.ok(words.y >= box.y && words.y < box.y + box.height, 'what was cited is in sight');
  assert.ok(text.right <= box.x, `the note covers the text: ${text.right} > ${box.x}`);
  await accessible(page, 'a note beside the text');
  await page.keyboard.press('Escape');
  await note.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), '1', 'the focus is where it was');
  await page.context().close();
});

test('a new question flashes once where motion is wanted, and not where it is not', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const page = await house.enter({ path: '/asks', reducedMotion });
    await page.evaluate(() => {
      window.flashes = 0;
      addEventListener('animationstart', (e) => /flash/.test(e.animationName) && e.target.closest('[data-ask]') && window.flashes++, true);
    });
    const { id } = await begin(page, 'ask me', { tools: ['ask_user'] });
    const card = page.locator(`[data-ask^="${id}"]`);
    await card.locator('[data-ready="true"]').or(page.locator(`[data-ask^="${id}"][data-ready="true"]`)).first().waitFor();
    assert.equal(await page.evaluate(() => window.flashes), reducedMotion === 'reduce' ? 0 : 1, reducedMotion);
    await house.rein('stop', id);
    await page.context().close();
  }
});

test('a card takes no focus from somebody who writes', async () => {
  const page = await house.enter();
  const { id, session } = await begin(page, 'first', { tools: ['ask_user'] });
  await page.goto(`${house.url}/s/${session}`);
  await page.locator(`[data-run="${id}"] li.end`).waitFor();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('half a thou');
  const asking = await begin(page, 'ask me', { session, tools: ['ask_user'] });
  await page.getByText('Which secret garden?').first().waitFor();
  await page.locator('[data-ask][data-ready="true"]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id), await message.evaluate((e) => e.getAttribute('aria-label') ?? e.id));
  await page.keyboard.type('ght');
  assert.equal(await message.inputValue(), 'half a thought');
  await message.fill('');
  await house.rein('stop', asking.id);
  await page.context().close();
});

test('a notice of the browser says that something waits and nothing of what it is, and only to who looks elsewhere', async () => {
  const page = await house.enter({ permissions: ['notifications'] });
  await page.context().addInitScript(() => {
    window.notices = [];
    window.away = true;
    document.hasFocus = () => !window.away; // a browser without a screen always has it
    const Real = window.Notification;
    window.Notification = class extends Real {
      constructor(title, options) {
        super(title, options);
        window.notices.push({ title, ...options, real: this instanceof Real });
      }
    };
  });
  await page.goto(`${house.url}/settings`);
  assert.equal(await page.evaluate(() => Notification.permission), 'granted');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Notifications are on.').waitFor();
  const asking = await begin(page, 'ask me', { tools: ['ask_user'] });
  const writing = await begin(page, 'write it', { tools: ['write_file'] });
  await page.waitForFunction(() => window.notices.length >= 2);
  const notices = await page.evaluate(() => window.notices);
  assert.deepEqual(notices.map((n) => [n.title, n.body, n.real]).sort(), [['rein', 'A run asks you a question', true], ['rein', 'write_file waits for you', true]].sort());
  assert.doesNotMatch(JSON.stringify(notices), /secret|garden/);

  await page.evaluate(() => (window.away = false));
  const looked = await begin(page, 'ask me', { tools: ['ask_user'] });
  await page.waitForFunction(() => document.title.startsWith('(3)'));
  assert.equal(await page.evaluate(() => window.notices.length), 2, 'a notice to somebody who looks at the page');
  for (const { id } of [asking, writing, looked]) await house.rein('stop', id);
  await page.context().close();
});

test('there are words within a third of a second after something was sent', async () => {
  const page = await house.enter();
  const took = [];
  for (let i = 0; i < 3; i++) {
    await page.goto(house.url);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('think long');
    await page.evaluate(() => {
      addEventListener('keydown', ({ timeStamp }) => {
        const look = () => {
          const said = [...document.querySelectorAll('main [role=status]')].find((e) => /\p{L}{3}/u.test(e.textContent));
          if (said) window.took = performance.now() - timeStamp;
          else requestAnimationFrame(look);
        };
        look();
      }, { capture: true, once: true });
    });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/s/*');
    took.push(await page.waitForFunction(() => window.took).then((h) => h.jsonValue()));
    await page.getByRole('button', { name: 'Stop' }).click();
  }
  assert.ok(Math.min(...took) < 300, `the first words came after ${took.map(Math.round)} ms`); // the fewest: the machine may be busy
  assert.deepEqual(page.violations, []);
  await page.context().close();
});
