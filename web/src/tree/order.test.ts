import { expect, test } from 'vitest';
import type { Event } from 'rein-client';
import { Chronicle } from './order';

const event = (run: string, seq: number, at: string) => ({ run, seq, at: `2026-11-18T12:00:0${at}Z`, kind: 'step.done', hash: '' }) as Event;
const told = (c: Chronicle) => c.events.map((e) => `${e.run} ${e.seq}`);

test('what comes run by run is put in the order in which it happened', () => {
  const all = new Chronicle();
  expect(all.add([event('r', 1, '0'), event('r', 2, '0.5')])).toBe(true);
  expect(all.add([event('r.3', 1, '0.25'), event('r.3', 2, '1')])).toBe(false);
  expect(told(all)).toEqual(['r 1', 'r.3 1', 'r 2', 'r.3 2']);
});

test('microseconds count, also when fewer digits are written', () => {
  const all = new Chronicle();
  all.add([event('b', 1, '0.000002'), event('a', 1, '0.000001'), event('c', 1, '0.00001')]);
  expect(told(all)).toEqual(['a 1', 'b 1', 'c 1']);
});

test('a clock that went back does not change the order of a log', () => {
  const all = new Chronicle();
  all.add([event('r', 1, '2'), event('r', 2, '1')]);
  all.add([event('s', 1, '1.5')]);
  expect(told(all)).toEqual(['s 1', 'r 1', 'r 2']);
});
