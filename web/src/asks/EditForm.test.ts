import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import EditForm from './EditForm.svelte';

afterEach(cleanup);

const schema = { type: 'object', required: ['path'], properties: { path: { type: 'string', description: 'Where.' }, n: { type: 'integer' }, force: { type: 'boolean' } } };
const show = (more = {}) => {
  const onsend = vi.fn();
  render(EditForm, { schema, args: { path: 'a.txt', n: 3 }, busy: false, ready: true, onsend, oncancel: vi.fn(), ...more });
  return { onsend, submit: () => fireEvent.submit(screen.getByRole('form', { name: 'Edit the arguments' })) };
};

test('fields come from the schema, and what is sent has their types', async () => {
  const { onsend, submit } = show();
  await fireEvent.input(screen.getByLabelText(/^path/), { target: { value: 'b.txt' } });
  await fireEvent.click(screen.getByRole('checkbox'));
  await submit();
  expect(onsend.mock.calls[0]![0]).toEqual({ path: 'b.txt', n: 3, force: true });
});

test('what does not fit is not sent, and its field says so', async () => {
  const { onsend, submit } = show();
  await fireEvent.input(screen.getByLabelText(/^n/), { target: { value: 'three' } });
  await submit();
  expect(onsend).not.toHaveBeenCalled();
  expect(screen.getByLabelText(/^n/).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('This is not what belongs here.');
});

test('as JSON: what was typed stays, and goes back into the form', async () => {
  const { onsend, submit } = show();
  await fireEvent.input(screen.getByLabelText(/^path/), { target: { value: 'b.txt' } });
  await fireEvent.click(screen.getByRole('button', { name: 'As JSON' }));
  const raw = screen.getByLabelText('As JSON') as HTMLTextAreaElement;
  expect(JSON.parse(raw.value)).toEqual({ path: 'b.txt', n: 3 });
  await fireEvent.input(raw, { target: { value: '{"path": "c.txt"' } });
  await submit();
  expect(onsend).not.toHaveBeenCalled();
  await fireEvent.input(raw, { target: { value: '{"path": "c.txt", "n": 4}' } });
  await fireEvent.click(screen.getByRole('button', { name: 'As a form' }));
  expect((screen.getByLabelText(/^path/) as HTMLInputElement).value).toBe('c.txt');
  await submit();
  expect(onsend.mock.calls[0]![0]).toEqual({ path: 'c.txt', n: 4 });
});

test('what the server has against it stands at its field', () => {
  show({ error: '"path" is too short' });
  expect(screen.getByLabelText(/^path/).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('"path" is too short')).toBeTruthy();
});
