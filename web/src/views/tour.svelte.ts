// The tour: a few steps, each beside what it is about. It can be left at any step and begun again.
import { keep, kept } from '../lib/device.svelte';
import { router } from '../lib/router.svelte';

export type StepName = 'welcome' | 'ask' | 'watch' | 'asks' | 'runs' | 'keys';

export const steps: readonly { name: StepName; /** what it points at, the first that is there */ at: readonly string[] }[] = [
  { name: 'welcome', at: [] },
  { name: 'ask', at: ['main form textarea'] },
  { name: 'watch', at: ['main [role="region"]'] },
  { name: 'asks', at: ['[data-tour="asks"]', '[data-tour="menu"]'] },
  { name: 'runs', at: ['[data-tour="runs"]', '[data-tour="menu"]'] },
  { name: 'keys', at: ['[data-tour="search"]', '[data-tour="menu"]'] },
];

class Tour {
  /** The step that is shown; -1: none. */
  at = $state(-1);
  /** This browser has seen it, or did not want it. */
  seen = $state(kept('tour') === 'seen');

  get on() {
    return this.at >= 0;
  }

  start() {
    router.go('/');
    this.at = 0;
  }

  move(by: number) {
    const to = this.at + by;
    if (to >= steps.length) this.leave();
    else this.at = Math.max(0, to);
  }

  leave() {
    this.at = -1;
    this.seen = true;
    keep('tour', 'seen');
  }
}

export const tour = new Tour();
