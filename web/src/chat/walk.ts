// Walking through the items of a conversation by keyboard.

/** move puts the focus on the next item, or the one before. Returns false if there is none. */
export function move(content: HTMLElement | undefined, by: 1 | -1): false | undefined {
  const all = [...(content?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
  const here = document.activeElement?.closest<HTMLElement>('[data-item]');
  const at = here ? all.indexOf(here) : by > 0 ? -1 : all.length;
  const to = all[at < 0 && by < 0 ? all.length - 1 : at + by];
  if (!to) return false;
  (to.querySelector<HTMLElement>('[data-ask]') ?? to).focus({ preventScroll: true }); // a card has keys of its own
  to.scrollIntoView({ block: 'nearest' });
  return undefined;
}

/** openFocused opens or folds the item that has the focus. */
export function openFocused(): false | undefined {
  const toggle = document.activeElement?.closest('[data-item]')?.querySelector<HTMLElement>('[data-toggle]');
  if (!toggle) return false;
  toggle.click();
  return undefined;
}

/** leaveEmpty goes from an empty field up to what waits for the person, else to the newest item. */
export function leaveEmpty(content: HTMLElement | undefined): false | undefined {
  const at = document.activeElement;
  if (!(at instanceof HTMLTextAreaElement) || at.value !== '' || content?.contains(at)) return false;
  const card = content?.querySelector<HTMLElement>('[data-ask]');
  if (!card) return move(content, -1);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'nearest' });
  return undefined;
}
