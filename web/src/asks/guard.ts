// A card that asks must not be answered by a key or a click that was meant for something else. So it takes none for a
// while after it has appeared, changed or moved. Nothing says when a thing moves on a page, so its place is compared
// again and again, and once more at the moment of the click.

export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How long a card takes no answer after it has appeared or moved, in milliseconds. */
export const settling = 500;

/** A smaller step is the rounding of a layout, or one line of pixels that nobody aims at. */
const step = 2;

/** A Guard knows since when a card has stood where it stands. Its times are those of events (event.timeStamp). */
export class Guard {
  #since: number;
  #place: Place | undefined;

  constructor(now: number) {
    this.#since = now;
  }

  /** look compares the place with the one before, and returns how many milliseconds are left until the card takes an answer. */
  look(place: Place, now: number): number {
    if (!this.#place || differs(this.#place, place)) this.disturb(now);
    this.#place = place;
    return Math.max(0, this.#since + settling - now);
  }

  /** disturb begins the waiting again. */
  disturb(now: number) {
    this.#since = Math.max(this.#since, now);
  }

  /** takes reports whether a key or click from then counts. One that does not begins the waiting again: fast typing never answers. */
  takes(place: Place, then: number): boolean {
    if (this.look(place, then) === 0) return true;
    this.disturb(then);
    return false;
  }
}

function differs(a: Place, b: Place): boolean {
  return (['left', 'top', 'width', 'height'] as const).some((side) => Math.abs(a[side] - b[side]) >= step);
}
