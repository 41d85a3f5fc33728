// Two runs side by side: which steps belong together, and where their texts differ.
import type { Step } from './steps';

export interface Pair {
  left?: Step;
  right?: Step;
}

/** What two steps must share to be the same step of two runs. Keys alone do not do: a fork may take another way. */
function sign(step: Step): string {
  return [step.verb, step.phase, step.tool, step.of ? step.key.replace(/^.*\./, '') : ''].join(' ');
}

/** align pairs the steps of two runs in order: equal ones beside each other, others alone. */
export function align(left: readonly Step[], right: readonly Step[]): Pair[] {
  const a = left.map(sign);
  const b = right.map(sign);
  // Runs that were forked begin with the same steps, whatever they are.
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  const pairs: Pair[] = left.slice(0, head).map((step, i) => ({ left: step, right: right[i]! }));
  for (const [i, j] of common(a.slice(head), b.slice(head), (x, y) => x === y)) {
    const pair: Pair = {};
    if (i >= 0) pair.left = left[head + i]!;
    if (j >= 0) pair.right = right[head + j]!;
    pairs.push(pair);
  }
  return pairs;
}

/** common walks two lists along a longest common subsequence: indices of both, -1 where only one goes on. */
function common<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): [number, number][] {
  // Beyond this the table would be too large: what follows is shown without being matched.
  const most = 2000;
  const n = Math.min(a.length, most);
  const m = Math.min(b.length, most);
  const width = m + 1;
  const table = new Uint16Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      table[i * width + j] = same(a[i]!, b[j]!) ? table[(i + 1) * width + j + 1]! + 1 : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const walk: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && same(a[i]!, b[j]!)) walk.push([i++, j++]);
    else if (j >= m || (i < n && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) walk.push([i++, -1]);
    else walk.push([-1, j++]);
  }
  for (; i < a.length; i++) walk.push([i, -1]);
  for (; j < b.length; j++) walk.push([-1, j]);
  return walk;
}

export interface Piece {
  text: string;
  /** It is in this text only. */
  other: boolean;
}

/** differences marks the words of two texts that the other one does not have. */
export function differences(left: string, right: string): [Piece[], Piece[]] {
  const a = words(left);
  const b = words(right);
  if (a.length > 2000 || b.length > 2000) return lines(left, right);
  return pieces(a, b);
}

function lines(left: string, right: string): [Piece[], Piece[]] {
  return pieces(left.split(/(?<=\n)/), right.split(/(?<=\n)/));
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function pieces(a: readonly string[], b: readonly string[]): [Piece[], Piece[]] {
  const left: Piece[] = [];
  const right: Piece[] = [];
  const add = (to: Piece[], text: string, other: boolean) => {
    const last = to.at(-1);
    if (last && last.other === other) last.text += text;
    else to.push({ text, other });
  };
  for (const [i, j] of common(a, b, (x, y) => x === y)) {
    if (i >= 0) add(left, a[i]!, j < 0);
    if (j >= 0) add(right, b[j]!, i < 0);
  }
  return [left, right];
}
