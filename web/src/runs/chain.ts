// What a check found, by event: the words of a verdict name events by their numbers.

/** wrongEvents are the numbers that a verdict complains about. */
export function wrongEvents(wrong: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const text of wrong) {
    for (const [, first, last] of text.matchAll(/\bevents? (\d+)(?: to (\d+))?/g)) {
      const end = Math.min(Number(last ?? first), Number(first) + 10_000);
      for (let n = Number(first); n <= end; n++) found.add(n);
    }
  }
  return found;
}
