import { beforeEach, expect, test, vi } from 'vitest';

const server = vi.hoisted(() => ({ page: {} as Record<string, unknown>, kept: 0 }));
const failed = vi.hoisted(() => vi.fn());
vi.mock('./house.svelte', () => ({
  house: {
    rein: {
      readPage: async () => ({ page: server.page }),
      keepPage: async ({ page }: { page: Record<string, unknown> }) => {
        server.page = page;
        server.kept++;
      },
    },
  },
}));
vi.mock('./notices.svelte', () => ({ notices: { failed, tries: async (act: () => Promise<unknown>) => act() } }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  server.page = {};
  server.kept = 0;
});

test('a value is shown at once and kept a moment later, once for many changes', async () => {
  const { mine } = await import('./mine.svelte');
  mine.set('hidePhases', true);
  mine.set('views', [1]);
  mine.set('views', [1, 2]);
  expect(mine.get('views')).toEqual([1, 2]);
  expect(server.kept).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.page).toEqual({ hidePhases: true, views: [1, 2] });
  expect(server.kept).toBe(1);
});

test('what another window kept meanwhile stays', async () => {
  const { mine } = await import('./mine.svelte');
  mine.get('views');
  await vi.advanceTimersByTimeAsync(1);
  server.page = { views: ['of another window'] };
  mine.set('hidePhases', true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.page).toEqual({ views: ['of another window'], hidePhases: true });
  expect(mine.get('views')).toEqual(['of another window']);
});
