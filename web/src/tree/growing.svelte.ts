// The tree of a run while its log grows, and as it was at any moment before.
import type { Event, Line, Timeline } from 'rein-client';
import { Following } from '../lib/following.svelte';
import { grown, Growth, type Nodes } from './growth';
import { Chronicle } from './order';

export class Growing {
  readonly root: string;
  readonly following: Following;
  /** How many events there are. */
  length = $state(0);
  /** How often some came. */
  grew = $state(0);
  /** How many of them count; undefined: all, as they come. */
  at = $state<number>();
  #now = $state.raw<Nodes>(new Map());
  #chronicle = new Chronicle();
  #events: readonly Event[] = [];
  #growth: Growth;
  nodes = $derived.by<Nodes>(() => (this.at === undefined ? this.#now : grown(this.root, this.#events, this.at)));

  constructor(root: string) {
    this.root = root;
    this.#growth = new Growth(root);
    this.following = new Following(root, { take: (lines) => this.#take(lines) });
  }

  leave() {
    this.following.leave();
  }

  /** The time of the last event that counts. */
  get time(): string {
    return this.#events[(this.at ?? this.length) - 1]?.at ?? '';
  }

  /** timelineOf is what a run of the tree did. */
  timelineOf(run: string): Timeline | undefined {
    let found: Timeline | undefined = this.following.timeline;
    while (found && found.run !== run) {
      const below: string = run.slice(found.run.length + 1).split('.', 1)[0]!;
      found = found.children.get(`${found.run}.${below}`);
    }
    return found;
  }

  #take(lines: readonly Line[]) {
    const start = lines.findLastIndex((line) => line.resync);
    if (start >= 0) {
      this.#chronicle = new Chronicle();
      this.#growth = new Growth(this.root);
      this.at = undefined;
    }
    const came = lines.slice(start + 1).flatMap((line) => line.event ?? []);
    if (!came.length && start < 0) return; // pieces of text change no node
    const inOrder = this.#chronicle.add(came);
    this.#events = this.#chronicle.events;
    if (!inOrder) this.#growth = new Growth(this.root);
    for (const event of inOrder ? came : this.#events) this.#growth.add(event);
    this.length = this.#events.length;
    this.#now = new Map(this.#growth.nodes);
    this.grew++;
  }
}
