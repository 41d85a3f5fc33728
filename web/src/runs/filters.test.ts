import { expect, test } from 'vitest';
import { asked, fromQuery, none, toQuery, viewsOf, withView, type Filters } from './filters';

const some: Filters = { q: 'a & b', status: 'failed', flow: 'operate', user: 'ann', workspace: 'home', within: 'week', cost: 1_250_000, session: 's1' };

test.each([none, some, { ...none, cost: 1 }])('filters come back from the address: %j', (filters) => {
  expect(fromQuery(new URLSearchParams(toQuery(filters)))).toEqual(filters);
});

test('no filters make no query', () => expect(toQuery(none)).toBe(''));

test.each(['status=gone', 'within=century', 'cost=x', 'cost=-1', 'cost=Infinity', 'other=1'])('%s does not filter', (query) => {
  expect(fromQuery(new URLSearchParams(query))).toEqual(none);
});

test('the server is asked in its own words', () => {
  const now = new Date('2026-11-18T12:00:30Z');
  expect(asked(some, now)).toEqual({
    q: 'a & b', status: 'failed', flow: 'operate', user: 'ann', workspace: 'home', session: 's1', min_micros: 1_250_000, since: '2026-11-11T12:00:00.000Z',
  });
  expect(asked({ ...none, q: '  ' }, now)).toEqual({});
});

test('a page asks for the same time as the page before it', () => {
  const at = (s: string) => asked({ ...none, within: 'hour' }, new Date(s)).since;
  expect(at('2026-11-18T12:00:01Z')).toBe(at('2026-11-18T12:00:59Z'));
});

test('saved views are read with care and replaced by name', () => {
  expect(viewsOf(undefined)).toEqual([]);
  expect(viewsOf({ views: 'x' })).toEqual([]);
  const views = viewsOf({ views: [{ name: 'a', query: 'q=1' }, { name: 3 }, null] });
  expect(views).toEqual([{ name: 'a', query: 'q=1' }]);
  expect(withView(withView(views, { name: 'b', query: '' }), { name: 'a', query: 'q=2' })).toEqual([{ name: 'a', query: 'q=2' }, { name: 'b', query: '' }]);
});
