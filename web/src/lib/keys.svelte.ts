// The keys of the page. A view says which keys it has while it is there; `?` lists them, and Ctrl-K offers the same
// acts by name. A single letter never works while somebody types.
import { untrack } from 'svelte';

export interface Key {
  /** As KeyboardEvent.key says it, such as "j", "?", "Escape"; "mod+k" is Ctrl or Command. */
  key: string;
  /** What it does, in words. */
  about: string;
  /** Acts, and returns false if there was nothing to do here: then another one may. */
  act: (event: KeyboardEvent) => void | false;
  /** It works while somebody types too. */
  typing?: boolean;
}

/** isTyping reports whether keys go into a text. */
export function isTyping(target: EventTarget | null): boolean {
  const at = target as HTMLElement | null;
  return !!at?.closest?.('input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]');
}

function nameOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) return '';
  return (mod ? 'mod+' : '') + (event.key.length === 1 && mod ? event.key.toLowerCase() : event.key);
}

class Keys {
  /** Groups of keys, the newest first: what was opened last is asked first. */
  groups = $state.raw<readonly { name: string; keys: readonly Key[] }[]>([]);

  constructor() {
    addEventListener('keydown', (event) => this.press(event));
  }

  /** offer adds keys until the function that it returns is called. Use it in an $effect. */
  offer(name: string, keys: readonly Key[]): () => void {
    const group = { name, keys };
    this.groups = [group, ...untrack(() => this.groups)]; // or the effect that offers them would run again forever
    return () => (this.groups = this.groups.filter((g) => g !== group));
  }

  press(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    const name = nameOf(event);
    const typing = isTyping(event.target);
    for (const { keys } of this.groups) {
      const key = keys.find((k) => k.key === name && (k.typing || !typing));
      if (key && key.act(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
}

export const keys = new Keys();
