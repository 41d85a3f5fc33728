import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { ReinError, type Run } from 'rein-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { house } from '../lib/house.svelte';
import Composer from './Composer.svelte';

// The client keeps the fetch that is there when it is made.
vi.hoisted(() => {
  const nothing = { flows: [], models: [], workspaces: [], presets: [], tools: [], runs: [], commands: [], sessions: [], files: [] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(nothing), { headers: { 'Content-Type': 'application/json' } }));
});
const say = vi.spyOn(house.rein, 'say');
beforeEach(() => {
  localStorage.clear();
  say.mockReset().mockImplementation(async (_, { id }) => ({ started: id }) as never);
});
afterEach(cleanup);

const box = () => screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement;
const type = (value: string) => fireEvent.input(box(), { target: { value } });
const enter = (more = {}) => fireEvent.keyDown(box(), { key: 'Enter', ...more });

test('Enter sends, Shift+Enter and an unfinished character do not, and nothing sends nothing', async () => {
  const onsent = vi.fn();
  render(Composer, { session: 's1', onsent });
  await enter();
  await type('   ');
  await enter();
  await type('Hello');
  await enter({ shiftKey: true });
  await enter({ isComposing: true });
  expect(say).not.toHaveBeenCalled();
  await enter();
  await vi.waitFor(() => expect(onsent).toHaveBeenCalled());
  expect(say.mock.calls[0]![0]).toBe('s1');
  expect(say.mock.calls[0]![1]).toMatchObject({ text: 'Hello' });
  await vi.waitFor(() => expect(box().value).toBe(''));
});

test('what could not be sent stays, says why, and is the same run when it is sent again', async () => {
  say.mockRejectedValueOnce(new ReinError({ status: 503, code: 'unavailable', detail: 'the server is away' }));
  render(Composer, { session: 's1' });
  await type('Hello');
  await enter();
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('the server is away'));
  expect(box().value).toBe('Hello');
  await enter();
  await vi.waitFor(() => expect(say).toHaveBeenCalledTimes(2));
  expect(say.mock.calls[1]![1].id).toBe(say.mock.calls[0]![1].id);
});

test('a draft survives, and another session has its own', async () => {
  const first = render(Composer, { session: 's1' });
  await type('half a thought');
  first.unmount();
  const other = render(Composer, { session: 's2' });
  expect(box().value).toBe('');
  other.unmount();
  render(Composer, { session: 's1' });
  expect(box().value).toBe('half a thought');
});

test('while a run works the box says that a message is read at its next step', async () => {
  render(Composer, { session: 's1', active: { id: 'r1', session: 's1', status: 'running' } as Run });
  expect(box().placeholder).toBe('Message rein… (sends now, read at the next step)');
});
