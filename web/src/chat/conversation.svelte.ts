// A session as one conversation: its root runs in order. Runs that are not over are followed live. The others are read
// once, when somebody comes near them, so that a long session is as quick as a short one.
import { foldAll, ReinError, timeline, type BranchPoint, type Run, type Session, type Timeline } from 'rein-client';
import { Following } from '../lib/following.svelte';
import { house } from '../lib/house.svelte';
import { branchesOf, historyOf } from './branches';

/** isOver reports whether a run has ended. */
export function isOver(status: Run['status']): boolean {
  return !['ready', 'running', 'waiting', 'blocked'].includes(status);
}

/** An Entry is one run of the conversation. */
export class Entry {
  readonly id: string;
  info = $state.raw<Run>()!;
  failure = $state.raw<unknown>();
  #following = $state.raw<Following>();
  #read = $state.raw<Timeline>();
  #begun = false;
  readonly #left = new AbortController();

  constructor(info: Run) {
    this.id = info.id;
    this.info = info;
  }

  /** The timeline, as soon as there is something to show of it. */
  get timeline(): Timeline | undefined {
    if (this.#following) return this.#following.caughtUp ? this.#following.timeline : undefined;
    return this.#read;
  }

  get following(): Following | undefined {
    return this.#following;
  }

  get over(): boolean {
    const t = this.timeline;
    return t ? t.ended !== undefined : isOver(this.info.status);
  }

  /** begin reads the run, or follows it if it is not over. */
  begin() {
    if (this.#begun) return;
    this.#begun = true;
    if (isOver(this.info.status)) void this.#readAll();
    else this.#following = new Following(this.id);
  }

  again() {
    this.#begun = false;
    this.failure = undefined;
    this.#following?.leave();
    this.#following = undefined;
    this.begin();
  }

  leave() {
    this.#left.abort();
    this.#following?.leave();
  }

  async #readAll() {
    const signal = this.#left.signal;
    try {
      let t = timeline(this.id);
      for (let after = '', more = true; more; ) {
        const page = await house.rein.events(this.id, { after, tree: true, limit: 1000 }, { signal });
        t = foldAll(t, page.lines);
        ({ next: after, more } = page);
      }
      this.#read = t;
    } catch (err) {
      if (!signal.aborted) this.failure = err;
    }
  }
}

/** How many runs are listed at once. */
const page = 20;

export class Conversation {
  readonly session: string;
  /** The oldest first. */
  entries = $state.raw<readonly Entry[]>([]);
  info = $state.raw<Session>();
  /** Where other sessions go another way, by the run of this one. */
  points = $state.raw<ReadonlyMap<string, BranchPoint>>(new Map());
  /** The cursor of older runs; empty: these are all. */
  older = $state('');
  here = $state(false);
  failure = $state.raw<unknown>();
  /** A message is on its way to the server, or the run that it starts is not listed yet. */
  sent = $state('');
  #reading: Promise<void> | undefined;
  #again = false;
  #gone = false;

  constructor(session: string) {
    this.session = session;
    void this.read();
  }

  /** The newest run, which the panel and the keys are about. */
  get last(): Entry | undefined {
    return this.entries.at(-1);
  }

  /** The run that a message would steer. */
  get active(): Entry | undefined {
    return this.entries.findLast((e) => !e.over);
  }

  /** read brings the newest runs up to date. Calls while it reads lead to one more reading. */
  read(): Promise<void> {
    this.#again = true;
    return (this.#reading ??= this.#readOn().finally(() => (this.#reading = undefined)));
  }

  async #readOn() {
    while (this.#again && !this.#gone) {
      this.#again = false;
      try {
        const [runs, info, points] = await Promise.all([
          historyOf(house.rein, this.session, page),
          house.rein.showSession(this.session).catch(missing),
          branchesOf(house.rein, this.session),
        ]);
        if (this.#gone) return;
        this.points = new Map(points.map((p) => [p.run, p]));
        const first = this.entries.length === 0;
        this.info = info;
        this.#merge(runs.runs.toReversed());
        if (first) this.older = runs.next ?? '';
        if (this.entries.some((e) => e.id === this.sent)) this.sent = '';
        for (const entry of this.entries.slice(-2)) entry.begin();
        this.failure = undefined;
        this.here = true;
      } catch (err) {
        this.failure = err;
      }
    }
  }

  /** readOlder adds the page before the first entry. */
  async readOlder() {
    const after = this.older;
    if (!after) return;
    this.older = '';
    try {
      const runs = await historyOf(house.rein, this.session, page, after);
      this.#merge(runs.runs.toReversed());
      this.older = runs.next ?? '';
    } catch (err) {
      this.older = after;
      throw err;
    }
  }

  #merge(runs: readonly Run[]) {
    const known = new Map(this.entries.map((e) => [e.id, e]));
    const fresh: Entry[] = [];
    for (const run of runs) {
      const entry = known.get(run.id);
      if (entry) entry.info = run;
      else fresh.push(new Entry(run));
    }
    if (fresh.length) this.entries = [...this.entries, ...fresh].sort(byStart);
  }

  leave() {
    this.#gone = true;
    for (const entry of this.entries) entry.leave();
  }
}

function byStart(a: Entry, b: Entry): number {
  return a.info.started < b.info.started ? -1 : a.info.started > b.info.started ? 1 : 0;
}

function missing(err: unknown): undefined {
  if (err instanceof ReinError && err.status === 404) return undefined; // it has no run yet
  throw err;
}
