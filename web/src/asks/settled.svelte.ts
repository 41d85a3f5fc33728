// The Guard of one card on the page: `settled` says whether it takes an answer now, for what people see; `takes` decides.
import { Guard } from './guard';

/** How often a place is compared when nothing else says that it may have changed. */
const beat = 200;

export class Settled {
  settled = $state(false);
  #guard = new Guard(performance.now());
  #at: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** watch looks where an element is until the function that it returns is called. Use it with {@attach}. */
  watch = (at: HTMLElement) => {
    this.#at = at;
    this.disturb();
    const look = () => this.#look();
    const back = () => document.hidden || this.disturb();
    const every = setInterval(look, beat);
    const sizes = new ResizeObserver(look);
    sizes.observe(at);
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    addEventListener('focus', back);
    document.addEventListener('visibilitychange', back);
    return () => {
      clearInterval(every);
      clearTimeout(this.#timer);
      sizes.disconnect();
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
      removeEventListener('focus', back);
      document.removeEventListener('visibilitychange', back);
      if (this.#at === at) this.#at = undefined;
    };
  };

  /** disturb begins the waiting again: what the card shows is another thing. */
  disturb() {
    this.#guard.disturb(performance.now());
    this.#look();
  }

  /** takes reports whether an event counts as an answer. */
  takes(event: Event): boolean {
    if (!this.#at || ('repeat' in event && event.repeat)) return false;
    const takes = this.#guard.takes(this.#at.getBoundingClientRect(), event.timeStamp);
    this.#look();
    return takes;
  }

  #look() {
    if (!this.#at) return;
    const left = this.#guard.look(this.#at.getBoundingClientRect(), performance.now());
    this.settled = left === 0;
    clearTimeout(this.#timer);
    if (left > 0) this.#timer = setTimeout(() => this.#look(), left + 1);
  }
}
