import type { Field, Flow, Preset } from 'rein-client';
import { beforeEach, expect, test } from 'vitest';
import { defaultOf, fieldOf, flowOf, keepChoice, readChoice, taskOf, writeChoice, wrongs, wrongWith, type Choice } from './choice';
import { completed, expand, matching, mention, split, wordAt } from './commands';

const steps: Field = { name: 'max_steps', type: 'integer', default: 10, min: 1, max: 100, about: 'steps' };
const collapse: Field = { name: 'collapse', type: 'boolean', default: true, about: 'shorten' };
const strict: Flow = { name: 'strict', about: '', settings: {}, fields: [steps, collapse], tools: [], usual: [] };
const answer: Flow = { name: 'answer', about: '', default: true, settings: {}, fields: [], tools: [], usual: [] };
const defaults = { budget: { rounds: 200, tool_calls: 400, tokens: 2, micros: 5_000_000, driven_ms: 1, runs: 32, depth: 2 }, mode: 'ask', loosest: 'sandbox' } as const;

beforeEach(() => localStorage.clear());

test.each([
  ['5', undefined],
  ['', undefined],
  [' 7 ', undefined],
  ['0', 'range'],
  ['101', 'range'],
  ['2.5', 'whole'],
  ['ten', 'number'],
  ['1e3', 'number'],
])('%s steps: %s', (typed, why) => {
  expect(wrongWith(steps, typed)?.why).toBe(why);
});

test('only what was chosen is in a task, as the types that the server wants', () => {
  const choice: Choice = { flow: 'strict', mode: 'plan', tools: [], settings: { strict: { max_steps: '3', collapse: false }, answer: { k: '2' } }, money: '0,50' };
  expect(taskOf(choice, strict, defaults)).toEqual({
    flow: 'strict',
    mode: 'plan',
    tools: [],
    settings: { max_steps: 3, collapse: false },
    budget: { ...defaults.budget, micros: 500_000 },
  });
  expect(taskOf({}, answer, defaults)).toEqual({});
});

test('what is wrong with a choice is found by field, for the chosen flow only', () => {
  const choice: Choice = { settings: { strict: { max_steps: '0' } }, money: 'much' };
  expect([...wrongs(choice, strict).keys()]).toEqual(['max_steps', 'budget.money']);
  expect([...wrongs(choice, answer).keys()]).toEqual(['budget.money']);
});

test('a preset says how runs work until somebody chooses something else', () => {
  const preset = { name: 'p', from: 'own', task: { flow: 'strict', settings: { max_steps: 4 } } } as Preset;
  expect(flowOf({ preset: 'p' }, [answer, strict], preset)?.name).toBe('strict');
  expect(flowOf({ preset: 'p', flow: 'answer' }, [answer, strict], preset)?.name).toBe('answer');
  expect(flowOf({}, [answer, strict])?.name).toBe('answer');
  expect(defaultOf(steps, strict, preset)).toBe(4);
  expect(defaultOf(steps, strict)).toBe(10);
});

test('a choice belongs to its session, and the last one is where a new session begins', () => {
  writeChoice('ann', 's1', { flow: 'strict' });
  keepChoice('ann', 's2', { model: 'm' });
  expect(readChoice('ann', 's1')).toEqual({ flow: 'strict' });
  expect(readChoice('ann', 's2')).toEqual({ model: 'm' });
  expect(readChoice('ann', 's3')).toEqual({});
  expect(readChoice('ann')).toEqual({ flow: 'strict' });
  expect(readChoice('bob')).toEqual({});
  localStorage.setItem('choice ann ', 'null');
  expect(readChoice('ann')).toEqual({});
});

test.each([
  ['settings of strict: max_steps must be a number', 'max_steps'],
  ['budget micros is 60000000; it must be from 1 to 50000000', 'budget.money'],
  ['there is no model "gpt-9"; available: demo', 'model'],
  ['mode sandbox lets calls through that ann would be asked about', 'mode'],
  ['there is no preset "x"', 'preset'],
  ['the session is busy', undefined],
])('%s is about %s', (detail, field) => {
  expect(fieldOf(detail, strict)).toBe(field);
});

test.each([
  ['/review main.go', { name: 'review', rest: 'main.go' }],
  ['  /review\nthis and that ', { name: 'review', rest: 'this and that' }],
  ['/review', { name: 'review', rest: '' }],
  ['/etc/fstab is wrong', undefined],
  ['a /review', undefined],
  ['/', undefined],
])('%j is taken apart', (typed, parts) => {
  expect(split(typed)).toEqual(parts);
});

test('a command is filled in once, and what is filled in is not looked at again', () => {
  const command = (text: string) => ({ name: 'c', from: 'user', text });
  expect(expand(command('Review $1 and $2. $ARGUMENTS'), 'a.go $1')).toBe('Review a.go and $1. a.go $1');
  expect(expand(command('Go.'), 'fast')).toBe('Go.\n\nfast');
  expect(expand(command('Go $3.'), 'a')).toBe('Go .');
});

test.each([
  ['/re', 3, 'command', 're'],
  ['/preset ta', 10, 'preset', 'ta'],
  ['see @pai', 8, 'file', 'pai'],
  ['see @"pai nt', 12, 'file', 'pai nt'],
  ['mail me@home', 12, undefined, undefined],
  ['see @pai it', 11, undefined, undefined],
  ['a /re', 5, undefined, undefined],
])('in %j at %d', (text, cursor, kind, typed) => {
  const word = wordAt(text, cursor);
  expect([word?.kind, word?.typed]).toEqual([kind, typed]);
});

test('a completed word keeps what follows it', () => {
  const text = 'see @pai now';
  expect(completed(text, wordAt(text, 8)!, mention('paint.md'))).toEqual({ text: 'see @paint.md now', cursor: 14 });
  expect(mention('my paint.md')).toBe('@"my paint.md"');
});

test('what begins with the typed letters comes first', () => {
  const options = ['walls paint.md', 'paint.md', 'other.md'].map((label) => ({ put: label, label }));
  expect(matching(options, 'pai').map((o) => o.label)).toEqual(['paint.md', 'walls paint.md']);
});
