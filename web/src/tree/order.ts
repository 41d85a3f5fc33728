// The events of a tree in the order in which they happened. A feed sends what is old run by run.
import type { Event } from 'rein-client';

/** A moment as seconds and nanoseconds: a Date would lose what comes after the milliseconds. */
type Moment = readonly [number, number];

function momentOf(at: string): Moment {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? '';
  return [Math.floor(Date.parse(at) / 1000), Number(fraction.padEnd(9, '0').slice(0, 9))];
}

const before = (a: Moment, b: Moment) => a[0] - b[0] || a[1] - b[1];

/** A Chronicle holds events in order while more come. */
export class Chronicle {
  #all: { event: Event; at: Moment }[] = [];
  readonly #last = new Map<string, Moment>();

  /** add takes events, and returns whether all of them came after those that were there. */
  add(events: readonly Event[]): boolean {
    let inOrder = true;
    for (const event of events) {
      const last = this.#last.get(event.run);
      let at = momentOf(event.at);
      if (last && before(at, last) < 0) at = last; // the log of a run has its order, whatever the clock did
      this.#last.set(event.run, at);
      const end = this.#all.at(-1);
      if (end && before(at, end.at) < 0) inOrder = false;
      this.#all.push({ event, at });
    }
    if (!inOrder) this.#all.sort((a, b) => before(a.at, b.at));
    return inOrder;
  }

  get events(): Event[] {
    return this.#all.map((one) => one.event);
  }
}
