import { beforeEach, expect, test } from 'vitest';
import { arrived, blank, draftKey, leaving, readDraft, returned, writeDraft } from './drafts';

const key = draftKey('ann', 's');
beforeEach(() => localStorage.clear());

test('a draft is read as it was written, and belongs to one user and session', () => {
  writeDraft(key, { text: 'half a sen', files: [{ name: 'a.txt', type: 'text/plain', size: 3 }] });
  expect(readDraft(key).text).toBe('half a sen');
  expect(readDraft(key).files).toHaveLength(1);
  expect(readDraft(draftKey('bob', 's'))).toEqual(blank);
  expect(readDraft(draftKey('ann'))).toEqual(blank);
});

test('an empty draft leaves nothing behind', () => {
  writeDraft(key, { text: 'x', files: [] });
  writeDraft(key, blank);
  expect(localStorage.length).toBe(0);
});

test('a message without an answer is back after a reload, before what was typed since, with its ID', () => {
  const out = leaving({ text: 'one', files: [{ name: 'a', type: '', size: 1 }], session: 'n' }, { run: 'r1', what: 'what', task: { flow: 'strict' } });
  expect(out.text).toBe('');
  writeDraft(key, { ...out, text: 'two' });
  expect(readDraft(key)).toEqual({ text: 'one\ntwo', files: [{ name: 'a', type: '', size: 1 }], session: 'n', sent: { run: 'r1', what: 'what', task: { flow: 'strict' } } });
});

test('what the server has is let go of, and what was typed since stays', () => {
  const out = leaving({ text: 'one', files: [], session: 'n' }, { run: 'r1', what: 'what', task: { flow: 'strict' } });
  expect(arrived({ ...out, text: 'two' })).toEqual({ text: 'two', files: [] });
  expect(returned(arrived(out))).toEqual(blank);
});

test('what is no draft is none', () => {
  localStorage.setItem(key, '{"text": 7}');
  expect(readDraft(key)).toEqual(blank);
});
