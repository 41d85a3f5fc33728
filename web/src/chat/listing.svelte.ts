// The sessions that the list shows: those that the page follows live, older pages as somebody scrolls, and what a search
// or the archive brings.
import type { ChangedSession, Session } from 'rein-client';
import { house } from '../lib/house.svelte';
import { joined } from './groups';

const page = 50;

export class Listing {
  q = $state('');
  archived = $state(false);
  failure = $state.raw<unknown>();
  loading = $state(false);
  /** What a search or the archive brought; or older pages than the page follows. */
  #found = $state.raw<readonly Session[]>([]);
  #next = $state<string>(); // undefined: no older page was read yet
  #reading = 0;

  /** It is not the list that the page follows. */
  readonly special = $derived(this.archived || this.q.trim() !== '');
  readonly sessions = $derived<readonly Session[]>(this.special ? this.#found : joined(house.sessions, this.#found));
  readonly more = $derived(this.special ? this.#next : (this.#next ?? house.more));

  /** look begins the list again: for other words, or the archive. */
  async look() {
    const mine = ++this.#reading;
    if (!this.special) {
      [this.#found, this.#next, this.loading] = [[], undefined, false];
      return;
    }
    await this.#read(mine, '');
  }

  /** older reads the next page, if there is one. */
  async older() {
    if (this.loading || !this.more) return;
    await this.#read(++this.#reading, this.more);
  }

  async #read(mine: number, after: string) {
    this.loading = true;
    try {
      const list = await house.rein.listSessions({ q: this.q.trim(), archived: this.archived, after, limit: page });
      if (mine !== this.#reading) return;
      this.#found = after ? joined(this.#found, list.sessions) : list.sessions;
      this.#next = list.next ?? '';
      this.failure = undefined;
    } catch (err) {
      if (mine === this.#reading) this.failure = err;
    } finally {
      if (mine === this.#reading) this.loading = false;
    }
  }

  /** change gives a session a title, pins or archives it, and shows that at once. */
  async change(session: Session, change: ChangedSession) {
    const now = await house.rein.changeSession(session.id, change);
    const fits = !!now.archived === this.archived;
    this.#found = this.#found.flatMap((s) => (s.id !== now.id ? [s] : fits ? [now] : []));
    await house.readSessions();
  }
}
