import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import Diff from './Diff.svelte';
import Markdown from './Markdown.svelte';

afterEach(cleanup);

test('Markdown becomes elements, and HTML stays text', () => {
  const { container } = render(Markdown, { text: '# Head\n\n**bold** `code`\n\n- [x] one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script><img src=x onerror=alert(1)>' });
  expect(screen.getByRole('heading').textContent).toBe('Head');
  expect(container.querySelector('strong')?.textContent).toBe('bold');
  expect(container.querySelectorAll('td')).toHaveLength(2);
  expect(container.querySelector('script, img')).toBeNull();
  expect(container.textContent).toContain('<script>alert(1)</script>');
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', ' java\tscript:alert(1)'])('a link to %j leads nowhere', (href) => {
  const { container } = render(Markdown, { text: `[a](<${href}>)` });
  expect(container.querySelector('a[href]')).toBeNull();
  expect(container.textContent).toContain('a');
});

test('a live text grows without a new beginning', async () => {
  const { container, rerender } = render(Markdown, { text: 'One.\n\nTwo', live: true });
  await vi.waitFor(() => expect(container.querySelectorAll('p')).toHaveLength(2));
  const first = container.querySelector('p');
  await rerender({ text: 'One.\n\nTwo and more.\n\nThree', live: true });
  await vi.waitFor(() => expect(container.querySelectorAll('p')).toHaveLength(3));
  expect(container.querySelector('p')).toBe(first);
});

test('a source is a number, and one that no tool returned is named so', () => {
  const citations = [{ path: 'a.md', section: 'Top', ok: true, quote: 'It rains.' }];
  const { container } = render(Markdown, { text: 'It rains [a.md#Top]. It snows [b.md].', citations });
  expect(screen.getByRole('button', { name: /a\.md#Top/ }).textContent).toBe('1');
  expect(container.querySelector('.unknown')?.textContent).toContain('b.md');
});

test('a diff says in words what colours say', () => {
  const { container } = render(Diff, { text: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n same\n-old \u202e\n+new\n' });
  expect(container.querySelector('.removed')?.textContent).toMatch(/removed: old \\u202e/);
  expect(container.querySelector('.added')?.textContent).toMatch(/added: new/);
});

test('a text whose citations come after it shows them as numbers', async () => {
  const text = 'One.\n\nIt waits for a person. [Approvals.md#Rules]';
  const shown = render(Markdown, { text, citations: undefined });
  expect(shown.container.querySelector('sup')).toBe(null);
  await shown.rerender({ text, citations: [{ path: 'Approvals.md', section: 'Rules', ok: true }] });
  expect(shown.container.querySelector('sup')?.textContent?.trim()).toBe('1');
});
