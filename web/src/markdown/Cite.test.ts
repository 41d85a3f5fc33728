import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import Cite from './Cite.svelte';
import type { Citation, Claim } from './cite';
import type { CiteToken } from './lex';

afterEach(cleanup);

const source: Citation = { path: 'a.md', section: 'Top', ok: true, quote: 'It rains in \u202eMay.' };
const mention = (refs: string[]): CiteToken => ({ type: 'cite', raw: '', refs, label: '', wiki: false, sentence: 'It rains 40 mm in May.' });
const show = (refs: string[], { citations = [source] as Citation[], doubtful = [] as Claim[], checked = true } = {}) => render(Cite, { mention: mention(refs), citations, doubtful, checked });

test('a source is a number; focus shows its passage with the shared words marked, and Escape hides it', async () => {
  show(['a.md#Top']);
  const number = screen.getByRole('button', { name: 'Source 1: a.md#Top' });
  await fireEvent.focus(number);
  const passage = screen.getByRole('tooltip', { hidden: true });
  expect([...passage.querySelectorAll('mark')].map((m) => m.textContent)).toContain('rains');
  expect(passage.textContent).toContain('\\u202eMay');
  await fireEvent.keyDown(number, { key: 'Escape' });
  expect(screen.queryByRole('tooltip', { hidden: true })).toBe(null);
});

test('a doubtful source says why', async () => {
  show(['a.md#Top'], { doubtful: [{ text: 'It rains 40 mm in May.', source: 'a.md#Top', support: 0.4, missing: ['40'] }] });
  await fireEvent.focus(screen.getByRole('button', { name: 'Source 1, doubtful: a.md#Top' }));
  expect(screen.getByText('Doubtful: the source does not have 40.')).toBeTruthy();
});

test('what no tool returned is named so when it has been checked, and quiet before', () => {
  const { container, unmount } = show(['b.md', 'a.md#Top']);
  expect(container.querySelector('.unknown')?.textContent).toContain('b.md (not found in the sources)');
  unmount();
  const before = show(['b.md', 'a.md#Top'], { checked: false });
  expect(before.container.querySelector('.unknown')).toBe(null);
  expect(before.container.querySelector('.unchecked')?.textContent).toBe('b.md');
  expect(before.container.querySelectorAll('sup')).toHaveLength(1);
});
