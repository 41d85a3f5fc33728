import { headline, type Ask } from 'rein-client';
import { expect, test } from 'vitest';
import { fieldAt, fieldsOf, losesDigits, parseExactly, read } from './form';
import { byRun, merge } from './inbox';
import { beginning, bodyOf, equals, hasArguments, isMasked, pieces } from './shows';

const ask = (over: Partial<Ask> = {}): Ask => ({ id: 'r1:4.ask', run: 'r1', step: '4', kind: 'approval', text: 'Allow t?\nIt does.', call: { id: 'c', name: 't', args: { a: 1 } }, state: 'pending', opened: '2026-01-01T00:00:00Z', ...over });

test('the text loses only the line that the headline says', () => {
  expect(bodyOf(ask())).toBe('It does.');
  expect(bodyOf(ask({ text: 'Allow other?\nIt does.' }))).toBe('Allow other?\nIt does.');
  expect(bodyOf(ask({ kind: 'question', text: 'Allow t?\nx' }))).toBe('Allow t?\nx');
});

test('a sentence is the headline, and the rest of the text stays whole', () => {
  const say = "Shall I remind you of 'dentist'?";
  const asked = ask({ say, text: `${say}\nWhy: you asked\n\nExactly (cron.add):\n  label: dentist`, effect: 'pure' });
  expect(bodyOf(asked)).toBe('Why: you asked\n\nExactly (cron.add):\n  label: dentist');
  expect(headline(asked)).toBe(say);
  expect(bodyOf(ask({ say, text: 'Something else' }))).toBe('Something else');
});

test('arguments count as shown only if each value is', () => {
  expect(hasArguments('mkdir docs\nin web', { command: 'mkdir docs', cwd: 'web' })).toBe(true);
  expect(hasArguments('mkdir docs', { command: 'mkdir docs', network: true })).toBe(false);
  expect(hasArguments('a\nb', { text: 'a\r\nb\nc' })).toBe(false);
});

test('no line of a command is lost, and none can pass for one of ours', () => {
  const text = 'Run in /w:\n  | echo a\n  | - rm: allow (ours)\nIts parts:\n- echo a: ask (why (so))\n- echo b: allowed (it prints)\nIF YOU AGREE, it also gets the network.\n';
  expect(pieces(text)).toEqual([
    { kind: 'fact', text: 'Run in /w:' },
    { kind: 'line', text: 'echo a' },
    { kind: 'line', text: '- rm: allow (ours)' },
    { kind: 'fact', text: 'Its parts:' },
    { kind: 'part', text: 'echo a', verdict: 'ask', why: 'why (so)' },
    { kind: 'part', text: 'echo b', verdict: 'allowed', why: 'it prints' },
    { kind: 'grant', text: 'IF YOU AGREE, it also gets the network.' },
  ]);
});

test('a long text begins with whole lines', () => {
  const long = Array.from({ length: 100 }, (_, n) => `${n}`).join('\n');
  expect(beginning(long).split('\n')).toHaveLength(40);
  expect(beginning('a\nb')).toBe('a\nb');
  expect(beginning('x'.repeat(10_000))).toHaveLength(6000);
});

test('masked secrets are noticed wherever they are', () => {
  expect(isMasked(ask())).toBe(false);
  expect(isMasked(ask({ text: 'x [redacted: github token] y' }))).toBe(true);
  expect(isMasked(ask({ call: { id: 'c', name: 't', args: { a: ['[redacted: key]'] } } }))).toBe(true);
});

test('equal asks show the same, whoever asks', () => {
  const [a, b, c, d] = [ask(), ask({ id: 'r2:4.ask', run: 'r2', shown: 'v2-2' }), ask({ id: 'r3:4.ask', in_person: true }), ask({ id: 'r4:4.ask', call: { id: 'c', name: 't', args: { a: 2 } } })];
  expect(equals([a!, b!, c!, d!], a!)).toEqual([b]);
});

test('the inbox has the newest last, by tree, and what is over stays over', () => {
  const asks = [ask({ id: 'b', run: 'r2.1', opened: '2026-01-01T00:02:00Z' }), ask({ id: 'a', opened: '2026-01-01T00:01:00Z' }), ask({ id: 'c', opened: '2026-01-01T00:03:00Z' })];
  expect(byRun(asks).map((g) => [g.root, g.asks.map((one) => one.id)])).toEqual([['r1', ['a', 'c']], ['r2', ['b']]]);
  const over = ask({ id: 'a', state: 'approved' });
  expect(merge([over], [ask({ id: 'a' }), ask({ id: 'z' })]).map((one) => [one.id, one.state])).toEqual([['a', 'approved'], ['z', 'pending']]);
  expect(merge([ask({ id: 'a' })], [over])[0]!.state).toBe('approved');
});

const schema = {
  properties: { path: { type: 'string' }, n: { type: 'integer' }, on: { type: 'boolean' }, how: { enum: ['a', 'b'] }, paths: { type: 'array', items: { type: 'string' } }, edits: { type: 'array', items: { type: 'object' } } },
  required: ['path'],
};

test('a form gives back what it was made of', () => {
  const args = { path: 'a', n: 3, on: true, how: 'b', paths: ['x', 'y'], edits: [{ old: '1' }], extra: { deep: [1] } };
  const fields = fieldsOf(schema, args)!;
  expect(fields.map((f) => f.kind)).toEqual(['text', 'number', 'yes', 'choice', 'list', 'json', 'json']);
  expect(read(fields)).toEqual(args);
});

test('what nobody filled in stays out, what was emptied goes, and false is said where true was', () => {
  const fields = fieldsOf(schema, { path: 'a', n: 3, on: true })!;
  for (const field of fields) field.value = '';
  expect(read(fields)).toEqual({ path: '', on: false });
});

test('what is not a number, or not JSON, is named', () => {
  const fields = fieldsOf(schema, { path: 'a', n: 3 })!;
  fields.find((f) => f.name === 'n')!.value = 'three';
  expect(() => read(fields)).toThrow(expect.objectContaining({ field: 'n' }));
});

test('a value that does not fit its type is edited as JSON', () => {
  expect(fieldsOf(schema, { path: 5, paths: ['with\nline'] })!.slice(0, 5).map((f) => f.kind)).toEqual(['json', 'number', 'yes', 'choice', 'json']);
});

test('numbers beyond 2^53 keep their digits', () => {
  expect(losesDigits({ a: [9007199254740993] })).toBe(true);
  expect(losesDigits({ a: 5, b: 0.25 })).toBe(false);
  const args = parseExactly('{"n": 9007199254740993}');
  expect(JSON.stringify(args)).toBe('{"n":9007199254740993}');
  expect(JSON.stringify(read(fieldsOf(schema, args)!.filter((f) => f.name === 'n')))).toBe('{"n":9007199254740993}');
});

test('the field that an error is about', () => {
  const fields = fieldsOf(schema, { path: 'a' })!;
  expect(fieldAt(fields, 'the arguments are wrong: "path" is too short')).toBe('path');
  expect(fieldAt(fields, '"edits[0].old" is missing')).toBe('edits');
  expect(fieldAt(fields, 'no')).toBe(undefined);
});
