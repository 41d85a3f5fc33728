// Notices of the browser when something waits and the person looks elsewhere. They say which tool asks and nothing of
// what it asks: a notice can be read on a locked screen. The browser is asked only after a click.
import type { Ask } from 'rein-client';
import { speech } from '../words/index.svelte';
import { keep, kept } from './device.svelte';
import { router } from './router.svelte';

type Permission = NotificationPermission | 'none';

const there = () => ('Notification' in window ? Notification.permission : 'none');

class Notify {
  permission = $state<Permission>(there());
  wanted = $state(kept('notify') === 'on');
  /** Nobody has said yes or no yet. */
  undecided = $state(kept('notify') === null);
  #known: ReadonlySet<string> | undefined;

  get on() {
    return this.wanted && this.permission === 'granted';
  }

  /** turnOn asks the browser. Call it for a click only. */
  async turnOn() {
    if (this.permission === 'default') this.permission = await Notification.requestPermission();
    this.#decide(this.permission === 'granted' ? 'on' : 'off');
  }

  turnOff() {
    this.#decide('off');
  }

  #decide(what: 'on' | 'off') {
    keep('notify', what);
    this.wanted = what === 'on';
    this.undecided = false;
  }

  /** saw compares what waits with what waited before. What was there at first is no news. */
  saw(asks: readonly Ask[]) {
    const before = this.#known;
    this.#known = new Set(asks.map((ask) => ask.id));
    if (!before || !this.on || document.hasFocus()) return;
    for (const ask of asks) if (!before.has(ask.id)) this.#show(ask);
  }

  #show(ask: Ask) {
    const notice = new Notification('rein', { body: saying(ask), tag: ask.id, icon: '/icon-192.png' });
    notice.onclick = () => {
      window.focus();
      router.go(`/asks?ask=${encodeURIComponent(ask.id)}`);
      notice.close();
    };
  }
}

/** saying is what a notice says of an ask. */
export function saying(ask: Ask): string {
  const words = speech.words.shell;
  if (ask.kind === 'question') return words.notifyQuestion;
  return ask.call ? words.notifyCall(ask.call.name) : words.notifyPlan;
}

export const notify = new Notify();
