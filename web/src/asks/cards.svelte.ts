// The open cards on the page, for the keys that answer one. A key is for the card that has the focus, or for the only
// one there is; a card that is not in sight comes into sight instead of being answered.
import { keys } from '../lib/keys.svelte';
import { speech } from '../words/index.svelte';

export type Act = 'allow' | 'session' | 'always' | 'edit' | 'reject';

export interface Card {
  element: HTMLElement;
  /** The part with the answers. */
  answers: HTMLElement;
  /** Answers, and returns false if the card has no such answer. */
  act: (act: Act, event: KeyboardEvent) => boolean;
}

class Cards {
  readonly #all = new Set<Card>();
  #leave: (() => void) | undefined;

  /** add adds a card until the function that it returns is called. */
  add(card: Card): () => void {
    this.#all.add(card);
    this.#leave ??= this.#offer();
    return () => {
      this.#all.delete(card);
      if (this.#all.size > 0) return;
      this.#leave?.();
      this.#leave = undefined;
    };
  }

  #offer() {
    const words = speech.words.asks;
    const key = (key: string, act: Act, about: string) => ({ key, about, act: (event: KeyboardEvent) => this.#press(act, event) });
    return keys.offer(words.keys, [
      key('a', 'allow', words.keyAllow),
      key('s', 'session', words.keySession),
      key('A', 'always', words.keyAlways),
      key('e', 'edit', words.keyEdit),
      key('r', 'reject', words.keyReject),
    ]);
  }

  #press(act: Act, event: KeyboardEvent): void | false {
    const all = [...this.#all];
    const card = all.find((c) => c.element.contains(document.activeElement)) ?? (all.length === 1 ? all[0] : undefined);
    if (!card || document.querySelector('dialog[open]')) return false;
    if (!inSight(card.answers)) return card.answers.scrollIntoView({ block: 'nearest' });
    if (!card.act(act, event)) return false;
  }
}

/** inSight reports whether the answers of a card are on the screen. */
function inSight(answers: HTMLElement): boolean {
  const { top, bottom } = answers.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1;
}

export const cards = new Cards();
