// Finds acts by the letters that somebody types.

export interface Command {
  id: string;
  label: string;
  group: string;
  do: () => void;
  /** The key that does it too. */
  key?: string;
  /** Other words for it. */
  also?: string;
}

/** find returns the commands that fit, the best first; all of them for an empty text. */
export function find(commands: readonly Command[], text: string): Command[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...commands];
  return commands
    .map((command) => ({ command, score: score(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command);
}

function score(command: Command, words: readonly string[]): number {
  const label = fold(command.label);
  const rest = fold(`${command.also ?? ''} ${command.group}`);
  let sum = 0;
  for (const word of words) {
    const one = within(label, word) || within(rest, word) / 4;
    if (one === 0) return 0;
    sum += one;
  }
  return sum / words.length;
}

/** within says how well a word stands in a text: at its start, at the start of a word, inside, or as letters in order. */
function within(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 8;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 4;
  let from = 0;
  for (const c of word) {
    from = text.indexOf(c, from) + 1;
    if (from === 0) return 0;
  }
  return word.length > 1 ? 1 : 0;
}

/** fold makes texts alike that people type alike. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
