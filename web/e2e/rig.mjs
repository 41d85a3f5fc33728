// A house for tests of the page: the real `rein serve` with a scripted or offline model, and real browsers.
import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);
const binary = needs('REIN', 'the rein binary to test');
const browserPath = needs('CHROMIUM', 'a Chromium');

function needs(name, what) {
  const value = process.env[name];
  if (!value) throw new Error(`$${name} must name ${what}`);
  return value;
}

// Without these, a browser looks for servers of its maker at every start.
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--force-color-profile=srgb', '--font-render-hinting=none',
];

let browser;

/** closeBrowser ends the browser that all tests of a file share. */
export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** closeNotice waits for the word about what just happened, and closes it: it lies over what else can be clicked for seconds. */
export async function closeNotice(page) {
  await page.getByRole('region', { name: 'What happened' }).getByRole('button', { name: 'Close' }).click();
}

/** openHouse starts a server. `script` is what its model plays (docs/script.md); without one the offline model answers. */
export async function openHouse({ script = '', settings = '', vault = '', files = {}, flow = 'operate' } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'rein-page-'));
  const house = new House(dir, flow);
  const model = script ? 'model = "demo"\n[models.demo]\nkind = "script"\nfile = "demo.txt"\n' : '';
  const notes = vault ? `vault = "${vault}"\n` : '';
  await house.write('.config/rein/rein.toml', `${notes}${model}${settings}`);
  await house.write('.config/rein/demo.txt', script || 'when\nsay Nobody asked me.\n');
  for (const [name, text] of Object.entries(files)) await house.write(name, text);
  await house.start();
  return house;
}

class House {
  url = '';
  #server;
  #ended;
  #contexts = [];
  #cookies = new Map(); // of the users who have logged in
  #violations = new Set(); // lists of what went wrong in browsers
  errors = '';

  constructor(dir, flow) {
    this.dir = dir;
    const { PATH } = process.env;
    this.env = { PATH, HOME: dir, TZ: 'UTC', REIN_FLOW: flow };
  }

  async write(name, text) {
    const path = join(this.dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** rein calls the binary in this house. */
  async rein(...args) {
    const called = run(binary, args, { cwd: this.dir, env: this.env, timeout: 60_000 });
    called.child.stdin.end();
    const { stdout } = await called;
    return stdout.trim();
  }

  async start() {
    const at = this.url ? new URL(this.url).host : '127.0.0.1:0';
    const server = spawn(binary, ['serve', '--listen', at], { cwd: this.dir, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#server = server;
    this.#ended = new Promise((resolve) => server.once('exit', resolve));
    server.stderr.on('data', (data) => (this.errors += data));
    let banner = '';
    await new Promise((resolve, reject) => {
      server.stdout.on('data', (data) => {
        banner += data;
        if (banner.includes('Ctrl-C shuts it down')) resolve();
      });
      server.once('exit', (code) => reject(new Error(`rein serve ended with ${code}:\n${banner}${this.errors}`)));
    });
    this.url = /^ {2}address {2}(\S+)$/m.exec(banner)[1];
  }

  /** kill ends the server as a power cut would. */
  async kill() {
    this.#server.kill('SIGKILL');
    await this.#ended;
  }

  /** stop ends the server in good order; start continues with the same data. */
  async stop() {
    this.#server.kill('SIGTERM');
    await this.#ended;
  }

  /** enter opens a browser of its own, logged in as a user, on a path. A user logs in once: the link is slow. */
  async enter({ user = '', path = '/', ...options } = {}) {
    browser ??= await chromium.launch({ executablePath: browserPath, args: flags });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    this.#contexts.push(context);
    const violations = [];
    context.on('page', (page) => this.#watch(page, violations));
    const page = await context.newPage();
    if (this.#cookies.has(user)) await context.addCookies(this.#cookies.get(user));
    else await this.#logIn(page, user);
    if (page.url() !== this.url + path) await page.goto(this.url + path);
    return page;
  }

  async #logIn(page, user) {
    await page.goto(await this.rein('login', ...(user ? [user] : [])));
    await page.getByRole('button').click();
    await page.waitForURL((url) => url.pathname !== '/login');
    this.#cookies.set(user, await page.context().cookies());
  }

  /** watch keeps what goes wrong in a window, also in those that the page opens: one list for all windows of a browser. */
  #watch(page, violations) {
    page.violations = violations;
    page.on('console', (m) => {
      if (/Content.Security.Policy|TrustedHTML|violates/i.test(m.text())) violations.push(m.text());
    });
    page.on('pageerror', (err) => violations.push(err.stack ?? `${err}`));
    this.#violations.add(violations);
  }

  /** window opens another window of a browser that has logged in. */
  async window(page, path = '/') {
    const other = await page.context().newPage();
    await other.goto(this.url + path);
    return other;
  }

  async close() {
    await Promise.all(this.#contexts.map((context) => context.close()));
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
    assert.deepEqual([...this.#violations].flat(), [], 'what went wrong in a window');
  }
}
