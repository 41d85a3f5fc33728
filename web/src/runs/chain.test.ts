import { expect, test } from 'vitest';
import { wrongEvents } from './chain';

test.each([
  ['event 4 is not what was written', [4]],
  ['events 3 to 5 are missing', [3, 4, 5]],
  ['its status is listed as ended: true; the log says false', []],
  ['the log ends with event 7 and hash 1a, but was written up to event 9 and hash 2b', [7, 9]],
])('%s', (text, events) => expect([...wrongEvents([text])]).toEqual(events));

test('a verdict that names very many events does not hang the page', () => {
  expect(wrongEvents(['events 1 to 999999999999 are missing']).size).toBeLessThan(20_000);
});
