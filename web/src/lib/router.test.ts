import { expect, test } from 'vitest';
import { parse, path, type View } from './router.svelte';

const views: View[] = [
  { name: 'chat' },
  { name: 'chat', session: 'a b/ü' },
  { name: 'asks' },
  { name: 'runs' },
  { name: 'run', run: 'r1.2' },
  { name: 'tree', run: 'r1' },
  { name: 'compare', left: 'a', right: 'b' },
  { name: 'settings' },
];

test.each(views)('a path leads back to its view: %j', (view) => {
  expect(parse(path(view))).toEqual(view);
});

test.each(['/docs', '/s', '/runs/a/b', '/compare/a', '/s/%zz'])('%s is not a view', (at) => {
  expect(parse(at).name).toBe('lost');
});
