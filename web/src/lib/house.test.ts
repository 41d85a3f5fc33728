import { Rein } from 'rein-client';
import { expect, test } from 'vitest';
import { house } from './house.svelte';

// vitest fails on a rejection that nobody handles.
test('a look at the asks that the server does not answer is not an error of the page', async () => {
  let calls = 0;
  house.rein = new Rein({
    fetch: () => {
      calls++;
      return Promise.reject(new TypeError('it is gone'));
    },
  });
  house.lookAtAsks();
  await new Promise((resolve) => setTimeout(resolve));
  expect(calls).toBe(1);
});
