import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import type { Ask } from 'rein-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { house } from '../lib/house.svelte';
import AskCard from './AskCard.svelte';

const ask = (more: Partial<Ask> = {}) =>
  ({
    id: 'r1.a', run: 'r1', kind: 'approval', state: 'pending', opened: '2026-11-19T10:00:00Z', shown: 'digest-1', text: 'Allow write_file?\n--- (new file)\n+++ a.txt\n@@ -0,0 +1,1 @@\n+x\n',
    call: { id: 'c1', name: 'write_file', args: { path: 'a.txt', content: 'x' } }, step: '3', ...more,
  }) as unknown as Ask;

const answerAsk = vi.spyOn(house.rein, 'answerAsk');
const showAsk = vi.spyOn(house.rein, 'showAsk');
vi.spyOn(house, 'lookAtAsks').mockImplementation(() => undefined);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'], now: Date.parse('2026-11-19T10:00:01Z') });
  answerAsk.mockReset().mockResolvedValue(undefined as never);
  showAsk.mockReset().mockImplementation(async () => ask({ state: 'approved', answer: { state: 'approved', by: 'ann' } } as Partial<Ask>));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** press clicks as a person would now. */
async function press(name: RegExp) {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: performance.now() });
  await fireEvent(screen.getByRole('button', { name }), event);
}
const settle = () => vi.advanceTimersByTimeAsync(800);

test('it takes no answer in the first half second, and says so', async () => {
  const { container } = render(AskCard, { ask: ask() });
  await press(/^Allow once/);
  expect(answerAsk).not.toHaveBeenCalled();
  expect(container.textContent).toContain('It only just appeared or moved.');
  expect(container.querySelector('article')?.dataset.ready).toBe('false');
  await settle();
  expect(container.querySelector('article')?.dataset.ready).toBe('true');
  await press(/^Allow once/);
  expect(answerAsk).toHaveBeenCalledWith('r1.a', { state: 'approved', shown: 'digest-1' });
});

test('another thing to read begins the wait again', async () => {
  const { rerender } = render(AskCard, { ask: ask() });
  await settle();
  await rerender({ ask: ask({ shown: 'digest-2' }) });
  await press(/^Allow once/);
  expect(answerAsk).not.toHaveBeenCalled();
  await settle();
  await press(/^Allow once/);
  expect(answerAsk).toHaveBeenCalledWith('r1.a', { state: 'approved', shown: 'digest-2' });
});

test('a rejection goes with its reason', async () => {
  render(AskCard, { ask: ask() });
  await settle();
  await press(/^Reject…/);
  await fireEvent.input(screen.getByLabelText('Why not? The model reads it.'), { target: { value: 'Not there.' } });
  await settle();
  await press(/^Reject$/);
  expect(answerAsk).toHaveBeenCalledWith('r1.a', { state: 'rejected', text: 'Not there.', shown: 'digest-1' });
});

test('an answer is a line that says who and what', async () => {
  const { container } = render(AskCard, { ask: ask({ state: 'rejected', closed: '2026-11-19T10:00:00Z', answer: { state: 'rejected', by: 'bob', text: 'No.' } } as Partial<Ask>) });
  expect(screen.queryByRole('button', { name: /Allow/ })).toBe(null);
  expect(container.textContent).toMatch(/bob.*rejected.*write_file/s);
});
