// What the whole page shares: who is here, the client, what waits for them, and their sessions. Lists are read
// again when the server hints that something changed; hints carry no content, so a lost one costs only time.
import { live, Rein, ReinError, type Ask, type Hint, type Me, type Session } from 'rein-client';
import { Again } from './again';

type State = 'coming' | 'in' | 'out' | 'away';
export type Connection = 'live' | 'reconnecting' | 'offline';

/** How many sessions are read at first, and at most when they are read again. */
const page = 50;
const mostSessions = 500;

class House {
  state = $state<State>('coming');
  me = $state<Me>();
  asks = $state.raw<Ask[]>([]);
  sessions = $state.raw<Session[]>([]);
  more = $state(''); // the cursor of older sessions, if any
  connection = $state<Connection>('live');
  /** The lists have been read, so what is empty is empty. */
  read = $state(false);
  /** grown counts the hints for each run, so that views can read again what they show of it. */
  grown = $state.raw<ReadonlyMap<string, number>>(new Map());
  rein = new Rein();
  readonly #asks = new Again(async () => {
    const { asks } = await this.rein.listAsks({ state: 'pending', for: this.me?.user ?? '' });
    if (differs(this.asks, asks)) this.asks = asks;
  });
  readonly #sessions = new Again(async () => {
    const list = await this.rein.listSessions({ limit: Math.min(mostSessions, Math.max(page, this.sessions.length)) });
    if (differs(this.sessions, list.sessions)) this.sessions = list.sessions;
    this.more = list.next ?? '';
  });

  /** enter finds out who is here. */
  async enter() {
    try {
      this.me = await this.rein.me();
      this.state = 'in';
      void this.watch();
    } catch (err) {
      this.state = err instanceof ReinError && err.status === 401 ? 'out' : 'away';
    }
  }

  async leave() {
    await this.rein.logout();
    location.assign('/');
  }

  /** lookAtAsks reads what waits now. If it cannot be read, the next hint has it read. */
  lookAtAsks = () => void this.#asks.run().catch(() => undefined);
  readSessions = () => this.#sessions.run();

  private async watch() {
    for await (const hint of live(this.rein, { onState: (state) => (this.connection = state) })) void this.take(hint);
    // The feed ends by itself only if the login has ended.
    this.state = 'out';
  }

  private async take(hint: Hint) {
    if (hint.runs?.length) {
      const next = new Map(this.grown);
      for (const run of hint.runs) next.set(run, (next.get(run) ?? 0) + 1);
      this.grown = next;
    }
    try {
      await Promise.all([
        hint.hello || hint.asks ? this.#asks.run() : undefined,
        hint.hello || hint.sessions?.length || hint.runs?.length ? this.readSessions() : undefined,
      ]);
      this.read = true;
    } catch (err) {
      if (err instanceof ReinError && err.status === 401) this.state = 'out';
      // Otherwise the next hint reads them: the state of the connection says what is wrong.
    }
  }
}

/** differs keeps a list that says the same as before, so that nothing on the page is drawn again. */
function differs(before: unknown, now: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(now);
}

export const house = new House();
