// Numbers, times and money as the design writes them: `40 ms`, `9 s`, `1 min 12 s`, `12.4k tokens`, `€0.08`.

import { house } from './house.svelte';
import { speech } from '../words/index.svelte';

const NBSP = '\u00a0';

const styles = new Map<string, Intl.NumberFormat>();

/** decimal writes a number as the language of the page does. */
export function decimal(n: number, least = 0, most = least): string {
  const key = `${speech.language} ${least} ${most}`;
  let style = styles.get(key);
  if (!style) styles.set(key, (style = new Intl.NumberFormat(speech.language, { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: false })));
  return style.format(n);
}

/** duration writes milliseconds. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}${NBSP}ms`;
  const s = ms / 1000;
  if (s < 10) return `${decimal(s, 0, 1)}${NBSP}s`;
  if (s < 60) return `${Math.round(s)}${NBSP}s`;
  const min = Math.floor(Math.round(s) / 60);
  const rest = Math.round(s) % 60;
  if (min < 60) return rest ? `${min}${NBSP}min ${rest}${NBSP}s` : `${min}${NBSP}min`;
  const h = Math.floor(min / 60);
  return min % 60 ? `${h}${NBSP}h ${min % 60}${NBSP}min` : `${h}${NBSP}h`;
}

/** nanos writes a Go duration. */
export const nanos = (n: number) => duration(n / 1e6);

/** count writes a large number in short. */
export function count(n: number): string {
  if (n < 1000) return `${n}`;
  if (n < 999_500) return `${decimal(n / 1000, 0, 1)}k`;
  return `${decimal(n / 1e6, 0, 1)}M`;
}

/** bytes writes a size. */
export function bytes(n: number): string {
  if (n < 1000) return `${n}${NBSP}B`;
  if (n < 999_500) return `${decimal(n / 1e3, 0, 1)}${NBSP}kB`;
  if (n < 999_500_000) return `${decimal(n / 1e6, 0, 1)}${NBSP}MB`;
  return `${decimal(n / 1e9, 0, 1)}${NBSP}GB`;
}

/** money writes millionths of a currency unit, with enough digits to be other than zero, in the currency that the server
 * reports. Where it knows none, or not all prices are in one, it is a number alone. */
export function money(micros: number): string {
  const value = micros / 1e6;
  const most = value > 0 && value < 0.0001 ? 6 : value > 0 && value < 0.01 ? 4 : 2;
  const currency = house.me?.currency ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) return decimal(value, 2, most); // Intl throws at what has not the form of a code
  const key = `${speech.language} ${currency} ${most}`;
  let style = styles.get(key);
  if (!style) {
    style = new Intl.NumberFormat(speech.language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits: 2, maximumFractionDigits: most, useGrouping: false });
    styles.set(key, style);
  }
  return style.format(value);
}

/** ago writes a time relative to now if it is less than a day away, else its date. */
export function ago(at: Date | string, now: Date, language: string): string {
  const when = new Date(at);
  const s = Math.round((when.getTime() - now.getTime()) / 1000);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (Math.abs(s) < 60) return relative.format(s, 'second');
  if (Math.abs(s) < 3600) return relative.format(Math.trunc(s / 60), 'minute');
  if (Math.abs(s) < 86400) return relative.format(Math.trunc(s / 3600), 'hour');
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(when);
}

/** full writes a time for a title that appears on hover. */
export function full(at: Date | string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }).format(new Date(at));
}
