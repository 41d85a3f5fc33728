// Writing to rein: a task, the next one, a message to the run that is active; drafts, files, and how a run works.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { accessible } from './axe.mjs';
import { closeBrowser, openHouse } from './rig.mjs';

after(closeBrowser);

// A red square of 10 × 10 pixels.
const rows = deflateSync(Buffer.concat(Array(10).fill(Buffer.from([0, ...Array(10).fill([200, 0, 0]).flat()]))));
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), part('IHDR', Buffer.from('0000000a0000000a0802000000', 'hex')), part('IDAT', rows), part('IEND', Buffer.alloc(0))]);

function part(name, data) {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

const message = (page) => page.getByRole('textbox', { name: 'Message', exact: true });
const line = (page) => page.getByRole('button', { name: /^How it works/ });
const get = (page, path) => page.evaluate((path) => fetch(path).then((r) => r.json()), path);
const first = async (page, run) => (await get(page, `/v1/runs/${run}/events?limit=1`)).lines[0].event.data.task;

/** newest waits until there are n root runs, and returns the newest. */
async function newest(page, n) {
  for (;;) {
    const { runs } = await get(page, '/v1/runs?newest=1&roots=1');
    if (runs.length >= n) return runs[0];
  }
}
async function ended(page, id) {
  for (;;) {
    const run = await get(page, `/v1/runs/${id}`);
    if (run.outcome) return run;
  }
}
async function inHouse(options, act) {
  const house = await openHouse(options);
  try {
    const page = await house.enter();
    await act(page, house);
    assert.deepEqual(page.violations, []);
  } finally {
    await house.close();
  }
}

test('a double send starts one run; drafts survive a reload, a killed server and a lost answer', () =>
  inHouse({}, async (page, house) => {
    const area = message(page);
    await area.fill('Hello there');
    await area.evaluate((at) => {
      for (let n = 0; n < 3; n++) at.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await page.waitForURL('**/s/*');
    assert.equal(await message(page).inputValue(), '');
    assert.deepEqual((await get(page, '/v1/runs')).runs.map((r) => r.title), ['Hello there']);
    await ended(page, (await newest(page, 1)).id);

    await message(page).fill('half a thought');
    await page.reload();
    assert.equal(await message(page).inputValue(), 'half a thought');
    await house.kill();
    await message(page).press('Enter');
    await page.getByText('Not sent. the server cannot be reached').waitFor();
    assert.equal(await message(page).inputValue(), 'half a thought');
    await accessible(page, 'a message that was not sent');
    await house.start();
    await page.reload();
    assert.equal(await message(page).inputValue(), 'half a thought');

    // The server has it, and its answer is lost: what comes back is not sent twice.
    await page.route('**/v1/sessions/*/messages', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await message(page).press('Enter');
    await page.getByText('Not sent.').waitFor();
    await page.unroute('**/v1/sessions/*/messages');
    const run = await newest(page, 2);
    await ended(page, run.id);
    await message(page).press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea').value === '');
    assert.deepEqual((await get(page, '/v1/runs?newest=1')).runs.map((r) => r.title), ['half a thought', 'Hello there']);
  }));

// Covers: RAO-76
test('the form of a run: errors at their fields, max steps, presets, all by keyboard', () =>
  inHouse({ script: 'when\nsay Still thinking.\n' }, async (page) => {
    await message(page).waitFor();
    await page.getByText('operate · ask · demo').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'How it works' });
    await form.getByLabel('Flow').focus();
    await page.keyboard.type('strict');
    await form.getByRole('radio', { name: 'ask' }).focus();
    await page.keyboard.press('ArrowLeft');
    await form.getByText('It changes nothing until you accept the plan.').waitFor();
    await form.getByRole('spinbutton', { name: /Max steps/ }).focus();
    await page.keyboard.type('300');
    await form.getByText('This must be from 1 to 100.').waitFor();
    await accessible(page, 'the form with an error');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await line(page).filter({ hasText: 'strict · plan · demo' }).waitFor();

    await message(page).focus();
    await page.keyboard.type('Think.');
    await page.keyboard.press('Enter');
    await page.getByText('Max steps: This must be from 1 to 100.').waitFor();
    await form.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.closest('[data-field]').dataset.field), 'max_steps');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3');
    await form.getByRole('button', { name: 'Save as…' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('three steps');
    await page.keyboard.press('Enter');
    await form.getByText('a name has 1 to 64 letters').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('three');
    await page.keyboard.press('Enter');
    await page.getByText('Preset three is saved.').waitFor();
    await page.keyboard.press('Escape');
    await message(page).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/s/*');
    const run = await ended(page, (await newest(page, 1)).id);
    assert.equal(run.outcome.end, 'limit');
    assert.equal(run.mode, 'plan');
    const task = await first(page, run.id);
    assert.deepEqual([task.flow, task.settings.max_steps], ['strict', 3]);

    // In a session of its own, the preset alone says how it works.
    await page.evaluate(() => Object.keys(localStorage).filter((k) => k.startsWith('choice')).forEach((k) => localStorage.removeItem(k)));
    await page.goto(new URL('/', page.url()).href);
    await page.getByText('operate · ask · demo').waitFor();
    await message(page).focus();
    await page.keyboard.type('/pre');
    await page.getByRole('option', { name: /preset NAME/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('th');
    await page.getByRole('option', { name: /three/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Think again.');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/s/*');
    const again = await ended(page, (await newest(page, 2)).id);
    const second = await first(page, again.id);
    assert.deepEqual([second.flow, second.settings.max_steps, second.messages.at(-1).text], ['strict', 3, 'Think again.']);
  }));

test('files and images are attached by picker and by paste, also before the session exists', () =>
  inHouse({ script: 'when\nsay Seen.\n' }, async (page) => {
    await message(page).fill('Look at these');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') },
      { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(11 * 2 ** 20) },
    ]);
    await page.getByText('make it smaller, or split it').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await accessible(page, 'attached files');
    await page.getByRole('button', { name: 'Remove huge.bin' }).click();
    await message(page).evaluate((at, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], 'image.png', { type: 'image/png' }));
      at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, [...png]);
    const chips = page.getByRole('list', { name: 'Attached files' });
    await chips.getByText(/pasted-.*\.png/).waitFor();
    await chips.getByText(`${png.length} B`).waitFor();
    await page.reload(); // they belong to the draft
    await chips.getByText(/pasted-.*\.png/).waitFor();
    await chips.getByText('report.csv').waitFor();
    await message(page).press('Enter');
    await page.waitForURL('**/s/*');
    const run = await newest(page, 1);
    const [said] = (await first(page, run.id)).messages;
    assert.equal(said.text, 'Look at these\n\nAttached: report.csv');
    assert.deepEqual(said.images.map((i) => [i.type, i.width]), [['image/png', 10]]);
    const { files } = await get(page, `/v1/sessions/${run.session}/files`);
    assert.deepEqual(files.map((f) => f.name.replace(/\d+-\d+/, 'T')).sort(), ['pasted-T.png', 'report.csv']);
    assert.equal(await chips.count(), 0);
  }));

test('a message while a run is active steers it', () =>
  inHouse({ script: 'when any~"Blue, please"\nsay It is blue.\n\nturn 1\ncall ask_user {"question":"Go on?"}\n\nwhen\nsay It is red.\n' }, async (page, house) => {
    await message(page).fill('Paint it');
    await message(page).press('Enter');
    await page.waitForURL('**/s/*');
    await page.getByPlaceholder('sends now, read at the next step').waitFor();
    await page.locator('[data-ask]').first().waitFor(); // nothing moves any more
    await message(page).fill('Blue, please');
    await message(page).press('Enter');
    await page.locator('li.person', { hasText: 'Blue, please' }).waitFor();
    const run = await newest(page, 1);
    const { receipts } = await get(page, `/v1/runs/${run.id}/receipts`);
    assert.deepEqual(receipts.map((r) => r.kind), ['message']);
    const { asks } = await get(page, '/v1/asks?state=pending');
    await house.rein('answer', asks[0].id, 'yes');
    await page.getByText('It is blue.').waitFor();
    assert.equal((await get(page, '/v1/runs')).runs.length, 1);
  }));
