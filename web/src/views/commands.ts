// Everything that the palette offers besides sessions: places, the keys of the views that are there, and acts.
import type { Run } from 'rein-client';
import { device } from '../lib/device.svelte';
import { house } from '../lib/house.svelte';
import { keys } from '../lib/keys.svelte';
import { notices } from '../lib/notices.svelte';
import type { Command } from '../lib/palette';
import { router } from '../lib/router.svelte';
import { languages, speech, type Language } from '../words/index.svelte';
import { tour } from './tour.svelte';

/** places are the views. */
export function places(): Command[] {
  const words = speech.words.shell;
  const to = (id: string, label: string, path: string, also = ''): Command => ({ id, label, also, group: words.places, do: () => router.go(path) });
  return [
    to('new', words.newSession, '/', words.keyNew),
    to('asks', words.asks, '/asks', 'inbox asks'),
    to('runs', words.runs, '/runs'),
    to('settings', words.settings, '/settings', `${words.theme} ${words.language} ${words.notifications}`),
    { id: 'docs', label: words.docsPage, group: words.places, do: () => location.assign('/docs') },
  ];
}

/** acts are what the page as a whole can do. */
export function acts(help: () => void): Command[] {
  const words = speech.words.shell;
  const act = (id: string, label: string, act: () => void, also = ''): Command => ({ id, label, also, group: words.acts, do: act });
  const themes = { system: words.themeSystem, light: words.themeLight, dark: words.themeDark } as const;
  const densities = { comfortable: words.densityComfortable, compact: words.densityCompact } as const;
  const names: Record<Language, string> = { en: 'English', nl: 'Nederlands' };
  return [
    act('help', words.keys, help, '? help'),
    act('tour', words.tourStart, () => tour.start(), 'help'),
    ...Object.entries(themes).map(([theme, name]) => act(`theme ${theme}`, words.useTheme(name), () => device.set({ theme: theme as keyof typeof themes }))),
    ...Object.keys(languages).map((l) => act(`language ${l}`, words.useLanguage(names[l as Language]), () => device.set({ language: l as Language }), 'language taal')),
    ...Object.entries(densities).map(([d, name]) => act(`density ${d}`, words.useDensity(name), () => device.set({ density: d as keyof typeof densities }))),
    act('logout', words.logOut, () => void notices.tries(() => house.leave())),
  ];
}

/** ofKeys are the acts that the views offer by key. */
export function ofKeys(): Command[] {
  return keys.groups.flatMap(({ name, keys: all }, g) =>
    all
      .filter((key) => !['mod+k', '/', '?'].includes(key.key))
      .map((key, k) => ({ id: `key ${g} ${k}`, label: key.about, group: name, key: key.key, do: () => void key.act(new KeyboardEvent('keydown', { key: key.key })) })),
  );
}

/** course are the ways to end or hold the runs that have not ended. */
export function course(runs: readonly Run[]): Command[] {
  const words = speech.words.shell;
  const send = (run: Run, kind: 'stop' | 'pause' | 'resume', label: string): Command => ({
    id: `${kind} ${run.id}`,
    label,
    group: words.runs,
    do: () => void notices.tries(() => house.rein.command({ kind, run: run.id })),
  });
  return runs.flatMap((run) => {
    const title = run.title || words.untitled;
    return [send(run, 'stop', words.stopRun(title)), run.paused ? send(run, 'resume', words.resumeRun(title)) : send(run, 'pause', words.pauseRun(title))];
  });
}
