// One run, followed live: its log folded into the timeline that people see. Lines that come between two pictures of
// the screen are taken together, so a fast model costs no more than a slow one.
import { foldAll, follow, timeline, type FeedState, type Line, type Timeline } from 'rein-client';
import { house } from './house.svelte';

type Take = (lines: readonly Line[]) => void;

export interface FollowingOptions {
  /** Everything below the run too. */
  tree?: boolean;
  /** Gets the lines too, in the order and the portions in which they are folded. */
  take?: Take;
}

export class Following {
  readonly run: string;
  timeline = $state.raw<Timeline>()!;
  state = $state<FeedState>('reconnecting');
  /** What the server has against following it. */
  failure = $state.raw<unknown>();
  /** It has been read up to now at least once, so that nothing jumps into place afterwards. */
  caughtUp = $state(false);
  readonly #left = new AbortController();
  readonly #take: Take | undefined;
  readonly #tree: boolean;
  #waiting: Line[] = [];
  #frame = 0;

  constructor(run: string, options: FollowingOptions = {}) {
    this.run = run;
    this.timeline = timeline(run);
    this.#tree = options.tree ?? true;
    this.#take = options.take;
    void this.#follow();
  }

  /** leave ends the following. A run does not notice. */
  leave() {
    this.#left.abort();
    cancelAnimationFrame(this.#frame);
  }

  async #follow() {
    const signal = this.#left.signal;
    try {
      for await (const line of follow(house.rein, this.run, { tree: this.#tree, signal, onState: (state) => (this.state = state) })) {
        this.#waiting.push(line);
        this.#frame ||= requestAnimationFrame(() => this.#fold());
      }
      this.#fold();
    } catch (err) {
      if (!signal.aborted) this.failure = err;
    }
  }

  #fold() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const lines = this.#waiting;
    this.#waiting = [];
    this.timeline = foldAll(this.timeline, lines);
    this.#take?.(lines);
    this.caughtUp = true;
  }
}
