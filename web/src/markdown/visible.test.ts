import { expect, test } from 'vitest';
import { line, lines, parts, short } from './visible';

// The same texts as in the test of the Go package internal/visible, without what JavaScript cannot hold.
test.each([
  ['plain words, é, 日本, עברית', 'plain words, é, 日本, עברית'],
  ['a\tb\nc\r\n', String.raw`a\tb\nc\x0d\n`],
  ['\x1b[31mred\x1b[0m', String.raw`\x1b[31mred\x1b[0m`],
  ['\u009b31m', String.raw`\u009b31m`],
  ['\ufffd', '\ufffd'],
  ['rm \u202e-rf', String.raw`rm \u202e-rf`],
  ['a\u200bb\u2060c\ufeffd\u00ade', String.raw`a\u200bb\u2060c\ufeffd\u00ade`],
  ['a\u034fb\u115fc\u3164d\uffa0e\u2800', String.raw`a\u034fb\u115fc\u3164d\uffa0e\u2800`],
  ['x\u{e0041}\u{e007f}', String.raw`x\U000e0041\U000e007f`],
  ['x\ufe00y\ufe0fz\u{e0100}', String.raw`x\ufe00y\ufe0fz\U000e0100`],
  ['a\u200db', String.raw`a\u200db`],
  ['\u2028\u2029', String.raw`\u2028\u2029`],
  ['❤️ 👨\u200d👩\u200d👧 👍🏽 1️⃣', '❤️ 👨\u200d👩\u200d👧 👍🏽 1️⃣'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\ue000', String.raw`\ue000`],
  ['\ud800', String.raw`\ud800`],
])('line(%j)', (text, want) => expect(line(text)).toBe(want));

test('lines keep line ends and tabs', () => {
  expect(lines('a\r\nb\tc\rd\u200b')).toBe('a\nb\tc\\x0dd\\u200b');
  expect(parts('a\u202eb')).toEqual([
    { text: 'a', spelled: false },
    { text: '\\u202e', spelled: true },
    { text: 'b', spelled: false },
  ]);
});

test('no character that is hidden comes through, and spelling twice is spelling once', () => {
  const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u;
  const bad: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = `a${String.fromCodePoint(code)}b`;
    const got = line(text);
    if ((hidden.test(text) && got === text) || line(got) !== got) bad.push(code.toString(16));
  }
  expect(bad).toEqual([]);
});

test('short', () => {
  expect(short(' one\n\n two  three ', 100)).toBe('one two three');
  expect(short('one two three', 8)).toBe('one two…');
  expect(short('ß'.repeat(10_000), 5)).toBe('ßßßßß…');
});
