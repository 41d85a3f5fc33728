import { expect, test } from 'vitest';
import { barsOf, depthOf, ticks, waterfall } from './bars';
import { before, merge, type Step } from './steps';

const begin = Date.parse('2026-11-18T12:00:00Z');
const at = (s: number) => new Date(begin + s * 1000).toISOString();
const step = (key: string, from: number, to: number | undefined, more: Partial<Step> = {}): Step =>
  ({ key, verb: 'model', state: to === undefined ? 'running' : 'ok', started: at(from), ...(to === undefined ? {} : { ended: at(to) }), seq: 1, last: 2, ...more }) as Step;
const short = (s: Step, now = 60) => barsOf(s, begin, begin + now * 1000).map((b) => `${b.kind} ${b.from / 1000}-${b.to / 1000}${b.open ? ' open' : ''}`);

test('a step is one bar', () => {
  expect(short(step('1', 2, 5))).toEqual(['model 2-5']);
  expect(short(step('1', 2, 5, { verb: 'tool' }))).toEqual(['tool 2-5']);
});

test('a step that runs ends now, and is open', () => {
  expect(short(step('1', 2, undefined), 9)).toEqual(['model 2-9 open']);
});

test('a clock behind the server gives no bar of negative length', () => {
  expect(short(step('1', 2, undefined), 1)).toEqual(['model 2-2 open']);
});

test('the time of a person is cut out of a tool call', () => {
  const asks = [{ id: 'a', kind: 'approval', state: 'approved', opened: at(3), closed: at(7) }] as Step['asks'];
  expect(short(step('1', 2, 9, { verb: 'tool', asks }))).toEqual(['tool 2-3', 'person 3-7', 'tool 7-9']);
  const open = [{ id: 'a', kind: 'approval', state: 'pending', opened: at(3) }] as Step['asks'];
  expect(short(step('1', 2, undefined, { verb: 'tool', state: 'waiting', asks: open }), 8)).toEqual(['tool 2-3', 'person 3-8 open']);
});

test('a wait for the provider ends with the next attempt', () => {
  const waits = [{ from: at(3), until: at(6), why: 'rate limit' }];
  expect(short(step('1', 2, 9, { waits, attempts: [{ n: 1, at: at(2) }, { n: 2, at: at(5) }] }))).toEqual(['model 2-3', 'limit 3-5', 'model 5-9']);
  expect(short(step('1', 2, 9, { waits }))).toEqual(['model 2-3', 'limit 3-6', 'model 6-9']);
  const atOnce = [{ n: 1, at: at(3) }, { n: 2, at: at(5) }]; // the first attempt failed in the millisecond in which it began
  expect(short(step('1', 3, 9, { waits, attempts: atOnce }))).toEqual(['limit 3-5', 'model 5-9']);
});

test('waits that overlap are not counted twice', () => {
  const asks = [{ id: 'a', kind: 'approval', state: 'approved', opened: at(3), closed: at(7) }] as Step['asks'];
  const waits = [{ from: at(5), until: at(8), why: '' }];
  expect(short(step('1', 2, 9, { verb: 'tool', asks, waits }))).toEqual(['tool 2-3', 'person 3-7', 'limit 7-8', 'tool 8-9']);
});

test('summaries inside a step have a kind of their own', () => {
  expect(short(step('3.compact', 2, 5, { of: '3' }))).toEqual(['compaction 2-5']);
  expect(short(step('3.compact2', 2, 5, { of: '3' }))).toEqual(['compaction 2-5']);
});

test.each([
  ['3', undefined, 0],
  ['7.2.3', undefined, 1],
  ['7.2.3.1.4', undefined, 2],
  ['7.repair', '7', 1],
  ['7.2.3.repair', '7.2.3', 2],
])('%s is indented', (key, of, depth) => {
  expect(depthOf(step(key, 0, 1, of ? { of } : {}))).toBe(depth);
});

test('a waterfall begins with its first step and is as long as its last', () => {
  const w = waterfall([step('1', 10, 12, { verb: 'inbox' }), step('2', 12, 20)], begin + 99_000, false);
  expect(w.rows.map((r) => r.step.key)).toEqual(['2']);
  expect(w.rows[0]!.bars[0]).toMatchObject({ from: 2000, to: 10_000 });
  expect(w.length).toBe(10_000);
  expect(waterfall([], begin)).toEqual({ rows: [], length: 1 });
});

test('ticks are round and few', () => {
  expect(ticks(9000)).toEqual([0, 2000, 4000, 6000, 8000]);
  for (const length of [1, 37, 12_345, 3_600_000, 1e9]) expect(ticks(length).length).toBeLessThanOrEqual(8);
});

test('a later read changes only what changed, and begins at the first open step', () => {
  const first = [step('1', 0, 1), step('2', 1, undefined), step('3', 1, 2)];
  expect(before(first)).toBe('1');
  expect(before([])).toBe('');
  expect(before([step('1', 0, 1)])).toBe('1');
  const next = merge(first, [step('2', 1, 4, { last: 5 }), step('3', 1, 2), step('4', 4, undefined)]);
  expect(next.map((s) => s.key + s.state)).toEqual(['1ok', '2ok', '3ok', '4running']);
  expect(next[0]).toBe(first[0]);
  expect(next[2]).toBe(first[2]);
});
