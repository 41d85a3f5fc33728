import type { Session } from 'rein-client';
import { expect, test } from 'vitest';
import { grouped, joined } from './groups';

const now = new Date(2026, 10, 18, 9, 0);
const session = (id: string, changed: Date, more: Partial<Session> = {}) => ({ id, title: id, changed: changed.toISOString(), ...more }) as Session;

test('sessions are grouped by day, pinned ones first, in the order in which they come', () => {
  const groups = grouped(
    [
      session('a', new Date(2026, 10, 18, 0, 1)),
      session('b', new Date(2026, 10, 17, 23, 59)),
      session('c', new Date(2026, 10, 17, 0, 0)),
      session('d', new Date(2026, 10, 11, 8, 0)),
      session('e', new Date(2026, 10, 10, 23, 0)),
      session('f', new Date(2025, 1, 1), { pinned: true }),
    ],
    now,
  );
  expect(groups.map((g) => `${g.name}: ${g.sessions.map((s) => s.id).join(' ')}`)).toEqual(['pinned: f', 'today: a', 'yesterday: b c', 'week: d', 'older: e']);
});

test('an older page does not show a session twice, nor as it was', () => {
  const list = joined([session('a', now, { title: 'new' })], [session('a', now, { title: 'old' }), session('b', now)]);
  expect(list.map((s) => s.title)).toEqual(['new', 'b']);
});
