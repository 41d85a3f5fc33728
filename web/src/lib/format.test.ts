import { afterEach, expect, test } from 'vitest';
import { speech } from '../words/index.svelte';
import { house } from './house.svelte';
import { ago, bytes, count, duration, money } from './format';

const pays = (currency: string) => (house.me = { household: 'home', user: 'ann', role: 'member', scopes: [], via: 'socket', currency });

const plain = (s: string) => s.replaceAll('\u00a0', ' ');

test.each([
  [0, '0 ms'],
  [40, '40 ms'],
  [999.4, '999 ms'],
  [1000, '1 s'],
  [1240, '1.2 s'],
  [9000, '9 s'],
  [59_400, '59 s'],
  [72_000, '1 min 12 s'],
  [120_000, '2 min'],
  [3_720_000, '1 h 2 min'],
])('%d ms is %s', (ms, text) => expect(plain(duration(ms))).toBe(text));

test.each([
  [7, '7'],
  [12_400, '12.4k'],
  [1_000_000, '1M'],
])('%d is %s', (n, text) => expect(count(n)).toBe(text));

test.each([
  [999, '999 B'],
  [12_300, '12.3 kB'],
  [4_000_000, '4 MB'],
])('%d bytes are %s', (n, text) => expect(plain(bytes(n))).toBe(text));

test.each([
  [0, '0.00'],
  [80_000, '0.08'],
  [1_234_567, '1.23'],
  [1_200, '0.0012'],
  [12, '0.000012'],
])('%d micros are %s', (n, text) => {
  expect(money(n)).toBe(text);
  pays('USD');
  expect(money(n)).toBe(`$${text}`);
});

test.each([
  ['en', 'EUR', '€0.08'],
  ['nl', 'EUR', '€ 0,08'],
  ['nl', 'USD', '$ 0,08'],
  ['en', 'CHF', 'CHF 0.08'],
  ['en', 'JPY', '¥0.08'],
  ['en', 'hello', '0.08'],
] as const)('in %s, an amount in %s is %s', (language, currency, text) => {
  speech.choose(language);
  pays(currency);
  expect(plain(money(80_000))).toBe(text);
});

test('a time of today is relative, an older one is a date', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  expect(ago('2026-11-18T11:58:00Z', now, 'en')).toContain('2 min');
  expect(ago('2026-11-01T11:58:00Z', now, 'en')).toContain('2026');
});

afterEach(() => {
  speech.choose('en');
  house.me = undefined;
});

test('numbers are written as the language of the page does', () => {
  speech.choose('nl');
  expect([plain(duration(1240)), count(12_400), plain(bytes(12_300)), money(80_000), money(1_200)]).toEqual(['1,2 s', '12,4k', '12,3 kB', '0,08', '0,0012']);
});
