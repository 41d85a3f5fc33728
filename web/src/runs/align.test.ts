import { expect, test } from 'vitest';
import { align, differences, type Piece } from './align';
import type { Step } from './steps';

const steps = (...names: string[]): Step[] => names.map((name, i) => ({ key: `${i + 1}`, verb: name.includes('!') ? 'tool' : 'model', ...(name.includes('!') ? { tool: name } : { phase: name }) }) as Step);
const shown = (left: Step[], right: Step[]) => align(left, right).map((p) => `${p.left?.key ?? '-'}:${p.right?.key ?? '-'}`);

test('equal runs go side by side', () => expect(shown(steps('a', 'b'), steps('a', 'b'))).toEqual(['1:1', '2:2']));

test('a step that only one has stands alone, and what follows is beside its like', () => {
  expect(shown(steps('a', 'x!', 'b', 'c'), steps('a', 'b', 'c'))).toEqual(['1:1', '2:-', '3:2', '4:3']);
  expect(shown(steps('a', 'b'), steps('a', 'x!', 'y!', 'b'))).toEqual(['1:1', '-:2', '-:3', '2:4']);
});

test('another tool is another step', () => expect(shown(steps('a', 'x!'), steps('a', 'y!'))).toEqual(['1:1', '2:-', '-:2']));

test('nothing beside something', () => expect(shown([], steps('a'))).toEqual(['-:1']));

test('very long runs are shown to their end', () => {
  const long = steps(...Array.from({ length: 2500 }, (_, i) => `p${i % 7}`));
  expect(align(long, long.slice(1)).flatMap((p) => (p.left ? [p.left.key] : []))).toEqual(long.map((s) => s.key));
});

const marked = (pieces: Piece[]) => pieces.map((p) => (p.other ? `[${p.text}]` : p.text)).join('');

test.each([
  ['the red cat', 'the blue cat', 'the [red] cat', 'the [blue] cat'],
  ['same', 'same', 'same', 'same'],
  ['', 'new', '', '[new]'],
  ['a, b', 'a; b', 'a[,] b', 'a[;] b'],
])('%s | %s', (left, right, a, b) => {
  const [l, r] = differences(left, right);
  expect([marked(l), marked(r)]).toEqual([a, b]);
});

test('nothing of a long text is lost', () => {
  const left = 'one two three\n'.repeat(1500);
  const [l, r] = differences(left, `${left}four\n`);
  expect(l.map((p) => p.text).join('')).toBe(left);
  expect(r.filter((p) => p.other).map((p) => p.text)).toEqual(['four\n']);
});
