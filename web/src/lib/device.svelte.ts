// What this browser prefers: theme and density stay on the device, language too until the server knows better.
import { speech, type Language } from '../words/index.svelte';

type Theme = 'system' | 'light' | 'dark';
type Density = 'comfortable' | 'compact';

function stored<T extends string>(key: string, allowed: readonly T[], otherwise: T): T {
  try {
    const value = localStorage.getItem(key) as T | null;
    return value && allowed.includes(value) ? value : otherwise;
  } catch {
    return otherwise; // a browser that keeps nothing
  }
}

/** keep stores a text in the browser if it can. */
export function keep(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The page works without it.
  }
}

/** kept returns what keep stored, or null. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

class Device {
  theme = $state<Theme>(stored('theme', ['system', 'light', 'dark'], 'system'));
  density = $state<Density>(stored('density', ['comfortable', 'compact'], 'comfortable'));

  apply() {
    const root = document.documentElement;
    if (this.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    root.dataset.density = this.density;
    speech.choose(stored<Language>('language', ['en', 'nl'], speech.language));
  }

  set(choice: { theme?: Theme; density?: Density; language?: Language }) {
    if (choice.theme) keep('theme', (this.theme = choice.theme));
    if (choice.density) keep('density', (this.density = choice.density));
    if (choice.language) keep('language', choice.language);
    this.apply();
  }
}

export const device = new Device();
