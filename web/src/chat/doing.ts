// What a run does now, in one line of the page's language.
import type { Timeline } from 'rein-client';
import type { Words } from '../words/index.svelte';
import { left } from './summary';

type ChatWords = Words['chat'];

/** The words of package client for which the page has its own. */
const plain = new Set(['thinking', 'working', 'starting', 'waiting', 'waiting for you', 'blocked']);

/** doingOf says what a run does. Undefined: it has ended. */
export function doingOf(t: Timeline, words: ChatWords, now: number): string | undefined {
  if (t.ended) return undefined;
  if (t.ending) return t.ending === 'stop' ? words.doing.ending : words.doing.endingNow;
  const d = t.doing;
  if (!d) return words.doing.starting;
  const rest = left(d.until, now);
  const timed = (text: string) => (rest ? `${text}, ${words.until(rest)}` : text);
  switch (d.kind) {
    case 'paused':
      return words.pausedBy(t.paused?.by ?? '');
    case 'ask':
      return timed(words.doing.ask);
    case 'wait':
      return timed(words.waitingOf(d.text.replace(/^waiting(: )?/, '') || words.doing.wait));
    case 'parked':
      return timed(words.waitingOf(d.text.replace(/^waiting( for )?/, '') || words.doing.parked));
    case 'child':
      return /^waiting for run/.test(d.text) ? words.doing.child : d.text;
  }
  return plain.has(d.text) ? words.doing[d.kind === 'tool' ? 'working' : d.kind] : d.text;
}
