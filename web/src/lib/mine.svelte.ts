// What the page keeps for its user on the server, so that it is the same in every browser: saved views, choices.
// Another window may have kept something else since, so each write merges into what is there.
import { ReinError } from 'rein-client';
import { house } from './house.svelte';
import { notices } from './notices.svelte';

type Page = Record<string, unknown>;

const pause = 300;

class Mine {
  #page = $state.raw<Page>({});
  #changed: Page = {};
  #timer = 0;
  #reading: Promise<void> | undefined;
  #writing = Promise.resolve();

  /** get returns what is kept under a key; undefined: nothing, or it has not been read yet. */
  get(key: string): unknown {
    this.#reading ??= this.#read();
    return this.#page[key];
  }

  /** set shows a value at once and keeps it a moment later. */
  set(key: string, value: unknown): void {
    this.#reading ??= this.#read();
    this.#changed = { ...this.#changed, [key]: value };
    this.#page = { ...this.#page, [key]: value };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.#writing = this.#writing.then(() => this.#write())), pause);
  }

  async #read() {
    try {
      const kept = await read();
      this.#page = { ...kept, ...this.#changed };
    } catch (err) {
      this.#reading = undefined;
      if (!(err instanceof ReinError && err.status === 401)) notices.failed(err);
    }
  }

  async #write() {
    const changed = this.#changed;
    await notices.tries(async () => {
      const page = { ...(await read()), ...changed };
      await house.rein.keepPage({ page });
      for (const key of Object.keys(changed)) if (this.#changed[key] === changed[key]) delete this.#changed[key];
      this.#page = { ...page, ...this.#changed };
    });
  }
}

async function read(): Promise<Page> {
  return ((await house.rein.readPage()).page as Page | null | undefined) ?? {};
}

export const mine = new Mine();
