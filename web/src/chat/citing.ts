// Which text of a run cites its sources, and what is known about them.
import type { Timeline } from 'rein-client';
import type { Evidence, Found } from './evidence';

export interface Citing {
  /** The item whose text the citations belong to; empty: the end has its own text. */
  at: string;
  citations: readonly unknown[] | undefined;
  doubtful: readonly unknown[] | undefined;
  /** For a text of a run that has not ended: what it may cite so far. None: it is no text with citations. */
  live: readonly Found[] | undefined;
}

/** citing finds the text that the citations at the end of a run are about. */
export function citing(t: Timeline, evidence: Evidence): Citing {
  const end = t.items.at(-1);
  const live = t.flow === 'answer' && end?.kind !== 'end' ? evidence.of(t.items) : undefined;
  if (end?.kind !== 'end' || !end.citations || end.text !== undefined) return { at: '', citations: undefined, doubtful: undefined, live };
  const last = t.items.findLast((it) => it.kind === 'model');
  return { at: last?.id ?? '', citations: end.citations, doubtful: end.doubtful, live };
}
