import { expect, test } from 'vitest';
import { Guard, settling } from './guard';

const here = { left: 10, top: 100, width: 300, height: 40 };
const there = { ...here, top: 180 };

test('a card takes no answer until it has stood still for a while', () => {
  const guard = new Guard(0);
  expect(guard.takes(here, 10)).toBe(false);
  expect(guard.look(here, 10 + settling - 1)).toBe(1);
  expect(guard.takes(here, 10 + settling)).toBe(true);
});

test('a card that moved takes no answer, also if nobody saw it move', () => {
  const guard = new Guard(0);
  guard.look(here, 0);
  expect(guard.takes(there, 5000)).toBe(false);
  expect(guard.takes(there, 5000 + settling)).toBe(true);
  guard.look(here, 6000);
  guard.look(there, 6001); // there and back
  expect(guard.takes(there, 6001 + settling - 1)).toBe(false);
});

test('a step that nobody sees does not count', () => {
  const guard = new Guard(0);
  guard.look(here, 0);
  expect(guard.takes({ ...here, top: here.top + 1 }, settling)).toBe(true);
});

test('typing without a pause never answers', () => {
  const guard = new Guard(0);
  for (let at = 100; at < 5000; at += 200) expect(guard.takes(here, at)).toBe(false);
  expect(guard.takes(here, 5500)).toBe(true);
});

test('a key from before the card appeared does not count, however late it is dealt with', () => {
  const guard = new Guard(1000);
  guard.look(here, 1000);
  guard.look(here, 3000);
  expect(guard.takes(here, 900)).toBe(false);
});
