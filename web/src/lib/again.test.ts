import { expect, test } from 'vitest';
import { Again } from './again';

test('asked many times while it runs, it runs once more', async () => {
  let runs = 0;
  let finish = () => {};
  const again = new Again(() => {
    runs++;
    return new Promise((resolve) => (finish = resolve));
  });
  const first = again.run();
  const more = [again.run(), again.run(), again.run()];
  expect(runs).toBe(1);
  finish();
  await first;
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(runs).toBe(2);
  finish();
  await Promise.all(more);
  expect(runs).toBe(2);
});

test('a failure is for who asked, and does not stop the next run', async () => {
  let fails = true;
  const again = new Again(async () => {
    if (fails) throw new Error('no');
  });
  await expect(again.run()).rejects.toThrow('no');
  fails = false;
  await again.run();
});
