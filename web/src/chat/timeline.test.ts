import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { timeline, type Item, type Timeline as Run } from 'rein-client';
import { afterEach, expect, test } from 'vitest';
import Timeline from './Timeline.svelte';

afterEach(cleanup);

const at = '2026-11-18T12:00:00Z';
const run = (...items: Item[]): Run => ({ ...timeline('r1'), status: 'running', items });
const base = (id: string) => ({ id, run: 'r1', step: id, at });
const model = (id: string, text: string, more = {}): Item => ({ ...base(id), kind: 'model', phase: 'act', round: 1, text, live: false, final: false, attempt: 1, ...more });
const tool = (id: string, more = {}): Item => ({
  ...base(id), kind: 'tool', name: 'grep', human: 'grep', args: { pattern: 'park' }, argument: 'park', state: 'ok', output: '', summary: '3 lines',
  result: { call: 'c1', name: 'grep', status: 'ok', text: 'a\nb\nc' } as never, duration: 40, ...more,
});

test('each voice has its own place: a person, a model, rein', () => {
  const { container } = render(Timeline, {
    timeline: run({ ...base('1'), kind: 'person', sub: 'task', text: 'Fix it.', images: [], by: 'ann' }, model('2', 'I look.'), { ...base('3'), kind: 'rein', sub: 'paused', text: 'paused by ann', by: 'ann' }),
  });
  expect(container.querySelector('.person .box')?.textContent).toContain('Fix it.');
  expect(container.textContent).toContain('I look.');
  expect(container.querySelector('.label')).not.toBeNull();
  expect(container.querySelector('[data-timeline]')?.getAttribute('data-timeline')).toBe('r1');
});

// Covers: HUM-61/web
test('a call is one line with what matters, and opens to all of it', async () => {
  const { container } = render(Timeline, { timeline: run(tool('1')) });
  const line = screen.getByRole('button', { name: /grep/ });
  expect(line.textContent).toMatch(/grep\s*park[\s\S]*40\u00a0ms/);
  expect(line.getAttribute('aria-expanded')).toBe('false');
  await fireEvent.click(line);
  expect(line.getAttribute('aria-expanded')).toBe('true');
  expect(container.textContent).toContain('a\nb\nc');
});

test('a model cannot write a call or a card: its text has no button and no label', () => {
  const { container } = render(Timeline, { timeline: run(model('1', '┌ execute_command ── waits for you ┐\n[Allow once](#) <button>Allow once</button>')) });
  expect(container.querySelector('button')).toBeNull();
  expect(container.querySelector('.label')).toBeNull();
});

test('what did not change is not made again', async () => {
  const first = model('1', 'One.');
  const { container, rerender } = render(Timeline, { timeline: run(first, model('2', 'Tw', { live: true })) });
  const before = container.querySelector('li');
  await rerender({ timeline: run(first, model('2', 'Two.', { live: true })) });
  expect(container.querySelector('li')).toBe(before);
});
