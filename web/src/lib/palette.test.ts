import { expect, test } from 'vitest';
import { find, type Command } from './palette';

const named = (...labels: string[]): Command[] => labels.map((label) => ({ id: label, label, group: '', do: () => {} }));
const labels = (all: Command[]) => all.map((c) => c.label);

test('what begins with the letters comes before what has them inside', () => {
  expect(labels(find(named('Open the inbox', 'Inbox', 'Dark inboxes, none', 'Main boxing'), 'inbox'))).toEqual(['Inbox', 'Open the inbox', 'Dark inboxes, none', 'Main boxing']);
});

test('letters in order are enough, and every word must fit', () => {
  expect(labels(find(named('Theme: Dark', 'Theme: Light'), 'thdk'))).toEqual(['Theme: Dark']);
  expect(labels(find(named('Theme: Dark', 'Theme: Light'), 'dark theme'))).toEqual(['Theme: Dark']);
  expect(find(named('Theme: Dark'), 'dark zebra')).toEqual([]);
});

test('accents and capitals do not matter', () => {
  expect(labels(find(named('Café in Århus'), 'CAFE arhus'))).toEqual(['Café in Århus']);
});

test('without a text all are there, in their order', () => {
  expect(labels(find(named('b', 'a'), '  '))).toEqual(['b', 'a']);
});
