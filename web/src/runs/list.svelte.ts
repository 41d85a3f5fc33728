// The runs that a table shows: pages that are read as somebody scrolls, rows that change in place, and a count of
// new ones, which are added only when somebody asks for them, so that no row moves under a pointer.
import type { Run } from 'rein-client';
import { house } from '../lib/house.svelte';
import type { RunsQuery } from './filters';

const size = 100;
/** How many rows are read again one by one for one portion of hints. */
const most = 40;

export class RunList {
  runs = $state.raw<readonly Run[]>([]);
  /** How many runs came since the list was read. */
  fresh = $state(0);
  failure = $state.raw<unknown>();
  reading = $state(true);
  #next = $state('');
  readonly #query: RunsQuery;
  readonly #left = new AbortController();
  #seen: ReadonlyMap<string, number> = house.grown;
  #changed = new Set<string>();
  #timer = 0;

  constructor(query: RunsQuery) {
    this.#query = query;
    void this.read();
  }

  get more(): boolean {
    return this.#next !== '';
  }

  leave() {
    this.#left.abort();
    clearTimeout(this.#timer);
  }

  /** read begins the list again, with what is newest. */
  async read() {
    await this.#tries(async () => {
      const page = await this.#page('');
      this.runs = page.runs;
      this.#next = page.next ?? '';
      this.fresh = 0;
    });
  }

  /** readMore adds the next page. */
  async readMore() {
    if (this.reading || !this.#next) return;
    await this.#tries(async () => {
      const page = await this.#page(this.#next);
      const known = new Set(this.runs.map((run) => run.id));
      this.runs = [...this.runs, ...page.runs.filter((run) => !known.has(run.id))];
      this.#next = page.next ?? '';
    });
  }

  /** grew takes the hints of the house. Many that come together are one reading. */
  grew(grown: ReadonlyMap<string, number>) {
    for (const [run, n] of grown) if (this.#seen.get(run) !== n) this.#changed.add(run);
    this.#seen = grown;
    if (this.#changed.size) this.#timer ||= window.setTimeout(() => void this.#again(), 400);
  }

  async #again() {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      const known = new Set(this.runs.map((run) => run.id));
      const mine = [...changed].filter((run) => known.has(run));
      const read = await Promise.all(mine.slice(0, most).map((run) => house.rein.showRun(run, { signal: this.#left.signal })));
      this.#put(read);
      if (changed.size > mine.length) {
        const page = await this.#page('');
        this.fresh = page.runs.filter((run) => !known.has(run.id)).length;
      }
    } catch {
      // The next hint, or the person, reads again. What is shown stays.
    } finally {
      this.#timer = 0;
      if (this.#changed.size && !this.#left.signal.aborted) this.grew(this.#seen);
    }
  }

  #put(read: readonly Run[]) {
    const byID = new Map(read.map((run) => [run.id, run]));
    this.runs = this.runs.map((run) => byID.get(run.id) ?? run);
  }

  #page(after: string) {
    return house.rein.listRuns({ ...this.#query, roots: true, newest: true, limit: size, ...(after ? { after } : {}) }, { signal: this.#left.signal });
  }

  async #tries(act: () => Promise<void>) {
    this.reading = true;
    try {
      await act();
      this.failure = undefined;
    } catch (err) {
      if (!this.#left.signal.aborted) this.failure = err;
    } finally {
      this.reading = false;
    }
  }
}
