import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { keys } from '../lib/keys.svelte';
import { notices } from '../lib/notices.svelte';
import { speech } from '../words/index.svelte';
import { states as english } from '../words/en/states';
import { states as dutch } from '../words/nl/states';
import Menu from './Menu.svelte';
import Notices from './Notices.svelte';
import Status from './Status.svelte';

afterEach(cleanup);

const label = createRawSnippet(() => ({ render: () => '<span>More</span>' }));

test('a status is a word in the language that was chosen, and who waits beats what runs', () => {
  speech.choose('en');
  const { rerender } = render(Status, { status: 'running' });
  expect(screen.getByText(english.running)).toBeTruthy();
  rerender({ status: 'waiting', waits: true });
  return vi.waitFor(async () => {
    expect(screen.getByText(english.waitingForYou)).toBeTruthy();
    speech.choose('nl');
    await vi.waitFor(() => expect(screen.getByText(dutch.waitingForYou)).toBeTruthy());
    speech.choose('en');
  });
});

test('an ended run does not wait, whatever else is said of it', () => {
  render(Status, { status: 'done', waits: true, paused: true });
  expect(screen.getByText(english.done)).toBeTruthy();
});

test('a menu opens, moves by arrow keys, acts and gives the focus back', async () => {
  const done: string[] = [];
  render(Menu, {
    label: 'Acts', children: label,
    items: [{ label: 'Rename', do: () => done.push('rename') }, { label: 'Archive', do: () => done.push('archive') }],
  });
  const button = screen.getByRole('button', { name: 'Acts' });
  await fireEvent.click(button);
  const menu = await screen.findByRole('menu');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('Rename'));
  await fireEvent.keyDown(menu, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Archive');
  await fireEvent.keyDown(menu, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Rename'); // round
  await fireEvent.keyDown(menu, { key: 'End' });
  await fireEvent.click(document.activeElement!);
  expect(done).toEqual(['archive']);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('what failed stays until it is closed, and can be copied; what was done can be taken back', async () => {
  render(Notices);
  await notices.tries(() => Promise.reject(new Error('the disk is full')));
  expect((await screen.findByRole('alert')).textContent).toContain('the disk is full');
  const back = vi.fn();
  notices.say('Archived.', { label: 'Undo', do: back });
  await fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(back).toHaveBeenCalledOnce();
  expect(screen.getByRole('alert')).toBeTruthy();
  for (const notice of notices.all) notices.close(notice);
});

test('a key belongs to what was opened last, and no letter acts while somebody types', () => {
  const acts: string[] = [];
  const leave = keys.offer('below', [{ key: 'a', about: '', act: () => void acts.push('below') }, { key: 'Escape', about: '', typing: true, act: () => void acts.push('escape') }]);
  const press = (key: string, target: EventTarget = document.body) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  press('a');
  const close = keys.offer('above', [{ key: 'a', about: '', act: () => void acts.push('above') }]);
  press('a');
  close();
  press('a');
  const field = document.body.appendChild(document.createElement('textarea'));
  press('a', field);
  press('Escape', field);
  field.remove();
  leave();
  press('a');
  expect(acts).toEqual(['below', 'above', 'below', 'escape']);
});
