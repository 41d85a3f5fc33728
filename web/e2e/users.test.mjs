// Two users of one household: neither sees anything of the other, on any view, by any address, live or afterwards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, openHouse } from './rig.mjs';

const script = `
when turn=1 user~"tulips"
call ask_user {"question":"Red tulips or yellow tulips?"}

when turn=1 user~"daisies"
call ask_user {"question":"Long daisies or short daisies?"}

when
say Done with it.
`;
const secrets = { carol: /tulip/i, bob: /dais(y|ies)/i };

let house;
const pages = {};
before(async () => {
  house = await openHouse({ script });
  for (const user of ['carol', 'bob']) {
    await house.rein('users', 'add', user, 'member');
    const page = (pages[user] = await house.enter({ user }));
    page.leaks = [];
    page.asked = new Set(); // requests that have no answer yet
    page.on('request', (r) => r.url().includes('/v1/') && page.asked.add(r));
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (r) => page.asked.delete(r));
    page.on('response', (r) => r.headers()['content-type']?.includes('event-stream') && page.asked.delete(r.request()));
    const other = secrets[user === 'bob' ? 'carol' : 'bob'];
    page.on('response', async (response) => {
      if (!response.url().includes('/v1/') || response.headers()['content-type']?.includes('event-stream')) return;
      const body = await response.text().catch(() => '');
      if (other.test(body) && !/[?&](q|for)=/.test(response.url())) page.leaks.push(`${response.url()} ${body.slice(0, 200)}`);
    });
  }
});
after(async () => {
  await house?.close();
  await closeBrowser();
});

async function begin(user, text, session) {
  return await pages[user].evaluate(
    async (task) => {
      const { csrf } = await (await fetch('/v1/me')).json();
      const answer = await fetch('/v1/runs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }, body: JSON.stringify({ task }) });
      if (!answer.ok) throw new Error(await answer.text());
      return await answer.json();
    },
    { flow: 'operate', session, tools: ['ask_user'], messages: [{ role: 'user', text }] },
  );
}

/** sees returns what a page says that belongs to the other user. */
async function sees(page, what) {
  const text = await page.evaluate(() => `${document.title}\n${document.body.innerText}\n${[...document.querySelectorAll('[aria-label], [title]')].map((e) => `${e.ariaLabel} ${e.title}`).join('\n')}`);
  return text.split('\n').filter((line) => what.test(line));
}

test('what one user begins is no news to the other', async () => {
  const { bob, carol } = pages;
  await bob.goto(`${house.url}/runs`);
  await bob.getByText('No runs yet.').waitFor();
  const inbox = await house.window(bob, '/asks');
  await inbox.getByText('Nothing waits for you.').waitFor();
  await begin('carol', 'Plant tulips', 's-of-carol');
  await carol.goto(`${house.url}/s/s-of-carol`);
  await carol.getByText('Red tulips or yellow tulips?').first().waitFor();
  await carol.waitForFunction(() => document.title.startsWith('(1)'));
  // What bob begins after that is news to bob: then all news before it has come.
  await begin('bob', 'Plant daisies', 's-of-bob');
  await bob.getByRole('button', { name: '1 new run' }).click();
  await bob.getByRole('row').filter({ hasText: 'daisies' }).waitFor();
  await inbox.getByText('Long daisies or short daisies?').first().waitFor();
  await inbox.waitForFunction(() => document.title.startsWith('(1)'));
  assert.equal(await inbox.locator('[data-ask]').count(), 1);
  assert.deepEqual([await sees(bob, secrets.carol), await sees(inbox, secrets.carol)], [[], []]);
  assert.deepEqual(await sees(carol, secrets.bob), []);
  await inbox.close();
});

test('no view shows what belongs to another user, though its address is right', async () => {
  const runs = {};
  for (const user of ['carol', 'bob']) runs[user] = await pages[user].evaluate(async () => (await (await fetch('/v1/runs')).json()).runs[0].id);
  for (const [user, other] of [['bob', 'carol'], ['carol', 'bob']]) {
    const page = pages[user];
    const hers = runs[other];
    const steps = await pages[other].evaluate(async (run) => (await (await fetch(`/v1/runs/${run}/steps`)).json()).steps.map((s) => s.key), hers);
    assert.ok(steps.length > 0);
    const views = [
      '/', '/runs', '/asks', `/s/s-of-${other}`, `/runs/${hers}`, `/runs/${hers}?step=${encodeURIComponent(steps[0])}`,
      `/runs/${hers}?tab=timeline`, `/runs/${hers}?tab=events`, `/runs/${hers}?tab=audit`, `/runs/${hers}?tab=replay`, `/runs/${hers}?tab=feedback`,
      `/runs/${hers}/tree`, `/compare/${runs[user]}/${hers}`, `/runs?q=${other === 'carol' ? 'tulips' : 'daisies'}`,
    ];
    for (const view of views) {
      await page.goto(house.url + view);
      await page.locator('main').waitFor();
      while (page.asked.size > 0) await page.evaluate(() => new Promise((done) => setTimeout(() => requestIdleCallback(done, { timeout: 500 }), 50)));
      const found = await sees(page, secrets[other]);
      assert.deepEqual(found.filter((line) => !view.includes('?q=') || !/^(null )?\S*$/.test(line)), [], `${user} on ${view}`);
    }
  }
  assert.deepEqual([pages.bob.leaks, pages.carol.leaks], [[], []], 'answers of the server');
});

test('neither search nor the palette finds what belongs to another user', async () => {
  const { bob } = pages;
  await bob.goto(house.url);
  await bob.getByRole('link', { name: /daisies/ }).first().waitFor();
  await bob.getByRole('searchbox', { name: 'Find a session' }).fill('tulips');
  await bob.getByRole('link', { name: /daisies/ }).waitFor({ state: 'detached' }); // the search has answered
  assert.deepEqual((await bob.locator('nav a').allInnerTexts()).filter((t) => secrets.carol.test(t)), []);
  await bob.getByRole('searchbox', { name: 'Find a session' }).fill('');
  await bob.keyboard.press('Control+k');
  await bob.getByRole('combobox').fill('plant');
  await bob.getByRole('option', { name: 'Plant daisies', exact: true }).waitFor();
  assert.deepEqual((await bob.getByRole('option').allInnerTexts()).filter((t) => secrets.carol.test(t)), []);
  assert.deepEqual([pages.bob.leaks, bob.violations], [[], []]);
});
