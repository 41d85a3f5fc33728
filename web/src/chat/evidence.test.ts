import { expect, test } from 'vitest';
import type { Item, ToolItem, ToolResult } from 'rein-client';
import { support } from '../markdown/cite';
import { Evidence, foundBy } from './evidence';

const call = (result: Partial<ToolResult>, args: unknown = {}) => ({ result: { status: 'ok', ...result }, args }) as Pick<ToolItem, 'result' | 'args'>;
const places = (c: Pick<ToolItem, 'result' | 'args'>) => foundBy(c).map((f) => f.path + (f.section ? `#${f.section}` : ''));

test.each([
  ['hits', call({ evidence: 'hits', data: [{ path: 'a.md', section: 'Top', snippet: 'x', block: '^b1' }, { path: 'b.md', snippet: 'y' }] }), ['a.md#^b1', 'a.md#Top', 'b.md']],
  ['hits in an answer', call({ evidence: 'hits', data: { ok: true, data: [{ path: 'a.md', snippet: 'x' }] } }), ['a.md']],
  ['a note', call({ evidence: 'note', data: { text: 'x', meta: { path: 'a.md', section: 'Top' } } }, { path: 'other.md' }), ['a.md#Top']],
  ['a file', call({ evidence: 'file', data: { path: 'a.txt' }, text: 'x' }), ['a.txt']],
  ['what cannot be cited', call({ evidence: 'none', data: [{ path: 'a.md', snippet: 'x' }] }), []],
  ['what is unsaid', call({ evidence: 'unsaid', text: 'a.md' }, { path: 'a.md' }), []],
  ['a failure', call({ status: 'failed', evidence: 'file', data: { path: 'a.txt' }, text: 'x' }), []],
  ['nothing in it', call({ evidence: 'file', data: { path: 'a.txt' }, text: ' ' }), []],
  ['an older log', call({ text: 'x' }, { path: 'a.md' }), ['a.md']],
  ['an older log with other arguments', call({ text: 'x', mended: 'model' }, { path: 'a.md' }), []],
])('foundBy: %s', (_, c, want) => expect(places(c)).toEqual(want));

test('the list stays the same until there is more', () => {
  const tool = (id: string, result?: Partial<ToolResult>) => ({ kind: 'tool', id, args: {}, result: result && { status: 'ok', ...result } }) as Item;
  const evidence = new Evidence();
  const first = evidence.of([tool('1', { evidence: 'file', data: { path: 'a.txt' }, text: 'x' }), tool('2')]);
  expect(evidence.of([tool('1', { evidence: 'file', data: { path: 'a.txt' }, text: 'x' }), tool('2')])).toBe(first);
  expect(evidence.of([tool('1'), tool('2', { evidence: 'file', data: { path: 'b.txt' }, text: 'y' })]).map((f) => f.path)).toEqual(['a.txt', 'b.txt']);
});

test.each([
  ['a', false, 'a.md'],
  ['a.md#top', false, 'a.md#top'],
  ['a.md#Below', false, 'a.md#Below'],
  ['a.md#Elsewhere', false, undefined],
  ['b', false, undefined],
  ['b', true, 'dir/b.md'],
  ['c.md', true, undefined],
])('support(%j, wiki %j)', (ref, wiki, want) => {
  const all = [{ path: 'a.md', section: 'Top', ok: true, text: 'x\n## Below\n' }, { path: 'dir/b.md', ok: true, text: 'y' }];
  const got = support(all, ref, wiki);
  expect(got && got.path + (got.section ? `#${got.section}` : '')).toBe(want);
});
