// The log of one run as it was written, a page at a time.
import type { Event } from 'rein-client';
import { house } from '../lib/house.svelte';

const size = 200;

export class Log {
  events = $state.raw<readonly Event[]>([]);
  more = $state(true);
  reading = $state(false);
  failure = $state.raw<unknown>();
  readonly #run: string;
  readonly #left = new AbortController();
  #cursor = '';

  constructor(run: string) {
    this.#run = run;
  }

  leave() {
    this.#left.abort();
  }

  /** read takes the next page, or what came since. */
  async read() {
    if (this.reading) return;
    this.reading = true;
    try {
      const page = await house.rein.events(this.#run, { limit: size, ...(this.#cursor ? { after: this.#cursor } : {}) }, { signal: this.#left.signal });
      this.events = [...this.events, ...page.lines.flatMap((line) => line.event ?? [])];
      this.#cursor = page.next;
      this.more = page.more;
      this.failure = undefined;
    } catch (err) {
      if (!this.#left.signal.aborted) this.failure = err;
    } finally {
      this.reading = false;
    }
  }
}
