// What is wrong with a value, in words.
import type { Words } from '../words/index.svelte';
import type { Wrong } from './choice';

export function wrongText(words: Words['compose'], { why, min, max }: Wrong): string {
  if (why === 'number') return words.notNumber;
  if (why === 'whole') return words.notWhole;
  if (max === undefined) return words.atLeast(`${min}`);
  return words.range(`${min ?? ''}`, `${max}`);
}
