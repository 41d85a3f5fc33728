// The time, as views show it: it ticks once a second while somebody looks at it, and not at all otherwise.
import { createSubscriber } from 'svelte/reactivity';

class Clock {
  #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  });

  /** now is the time in milliseconds. What reads it is shown again every second. */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();
