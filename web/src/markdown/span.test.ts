import { expect, test } from 'vitest';
import { cut } from './span';

const note = '---\ntags: [a]\n---\n# Title\n\nOne. Two 😀.\nThree.\n';
const cited = (text: string) => ({ path: 'n.md', ok: true, start: [...note.slice(0, note.indexOf(text))].length, end: [...note.slice(0, note.indexOf(text) + text.length)].length });

test('whole lines are marked, and front matter stands apart', () => {
  expect(cut(note, 0, cited('Two 😀'))).toEqual({ front: 'tags: [a]', before: '# Title\n\n', span: 'One. Two 😀.\n', after: 'Three.\n', isSpan: true });
  expect(cut(note, 0, { path: 'n.md', ok: true })).toMatchObject({ front: 'tags: [a]', span: '# Title\n\nOne. Two 😀.\nThree.\n', isSpan: false });
});

test('what begins in the middle of a note has no front matter', () => {
  const rest = '---\nnot: front\n---\n';
  expect(cut(rest, 40, { path: 'n.md', ok: true })).toMatchObject({ front: '', span: rest });
});

test('a citation of all of the note keeps its text', () => {
  expect(cut(note, 0, { path: 'n.md', ok: true, start: 0, end: [...note].length })).toMatchObject({ front: 'tags: [a]', before: '', span: '# Title\n\nOne. Two 😀.\nThree.\n' });
});

test('what has no characters is found by how it begins, and else its section is it', () => {
  expect(cut(note, 0, { path: 'n.md', ok: true, quote: 'One. Two 😀. Three…' })).toMatchObject({ before: '# Title\n\n', span: 'One. Two 😀.\nThree.\n', isSpan: true });
  expect(cut(note, 0, { path: 'n.md', ok: true, quote: 'One? (Two) [😀].' })).toMatchObject({ isSpan: false });
  expect(cut('## Part\nWords.\n', 30, { path: 'n.md', section: 'Part', ok: true })).toMatchObject({ span: '## Part\nWords.\n', isSpan: true });
});
