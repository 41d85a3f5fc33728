// The waterfall: rows of steps, and in each row the bars that say what the time went into.
import type { Step } from './steps';

/** Kinds of time: a model writes, a tool works, a child works, a person is waited for, a provider's rate limit, a summary of a long history. */
export type BarKind = 'model' | 'tool' | 'child' | 'person' | 'limit' | 'compaction' | 'other';

export interface Bar {
  kind: BarKind;
  /** Milliseconds since the beginning of the run. */
  from: number;
  to: number;
  /** It still grows. */
  open: boolean;
  /** Why, for a wait. */
  why?: string;
}

export interface Row {
  step: Step;
  depth: number;
  bars: Bar[];
}

export interface Waterfall {
  rows: Row[];
  /** Milliseconds that the axis shows. */
  length: number;
}

const ms = (at: string | undefined) => (at ? Date.parse(at) : NaN);

/** waterfall lays out steps. `now` is where steps that are running end; `all` shows what rein does for itself too. */
export function waterfall(steps: readonly Step[], now: number, all = true): Waterfall {
  const visible = all ? steps : steps.filter((step) => !isOwn(step));
  const begin = Math.min(...steps.map((s) => ms(s.started)));
  const rows = visible.map((step) => ({ step, depth: depthOf(step), bars: barsOf(step, begin, now) }));
  const length = Math.max(1, ...rows.flatMap((row) => row.bars.map((bar) => bar.to)));
  return { rows, length };
}

/** isOwn reports whether a step is one that a run makes for itself: a look into its inbox, a read of its past. */
export function isOwn(step: Step): boolean {
  return (step.verb === 'inbox' || step.internal === true) && step.state === 'ok';
}

/** depthOf says how far a step is indented: "7.2.3" is in a branch of step 7, "7.repair" is a call inside it. */
export function depthOf(step: Step): number {
  const numbers = step.key.split('.').filter((part) => /^\d+$/.test(part)).length;
  return Math.max(0, Math.floor((numbers - 1) / 2)) + (step.of ? 1 : 0);
}

function kindOf(step: Step): BarKind {
  switch (step.verb) {
    case 'model':
      return step.of && /\.compact\d*$/.test(step.key) ? 'compaction' : 'model';
    case 'tool':
      return 'tool';
    case 'ask':
      return 'person';
    case 'spawn':
    case 'wait':
      return 'child';
  }
  return 'other';
}

/** barsOf cuts the time of a step into the waits inside it and the work between them. */
export function barsOf(step: Step, begin: number, now: number): Bar[] {
  const from = ms(step.started);
  const open = !step.ended;
  const to = open ? Math.max(from, now) : Math.max(from, ms(step.ended));
  const kind = kindOf(step);
  const waits = [...waitsOf(step, to)].sort((a, b) => a.from - b.from);
  const bars: Bar[] = [];
  let at = from;
  for (const wait of waits) {
    const start = Math.max(at, wait.from);
    const end = Math.min(to, wait.to);
    if (end <= start) continue;
    if (start > at) bars.push({ kind, from: at - begin, to: start - begin, open: false });
    bars.push({ kind: wait.kind, from: start - begin, to: end - begin, open: open && end === to, ...(wait.why ? { why: wait.why } : {}) });
    at = end;
  }
  if (at < to || bars.length === 0) bars.push({ kind, from: at - begin, to: to - begin, open });
  return bars;
}

function* waitsOf(step: Step, end: number) {
  for (const ask of step.asks ?? []) {
    yield { kind: 'person' as const, from: ms(ask.opened), to: ask.closed ? ms(ask.closed) : end, why: undefined };
  }
  for (const wait of step.waits ?? []) {
    // A wait ends where the next attempt begins, which may be before it was due. The attempt that failed can have
    // begun in the same millisecond as the wait after it.
    const next = (step.attempts ?? []).map((a) => ms(a.at)).find((at) => at > ms(wait.from));
    const due = wait.until ? ms(wait.until) : end;
    yield { kind: 'limit' as const, from: ms(wait.from), to: Math.min(next ?? due, Math.max(due, next ?? 0)), why: wait.why };
  }
}

/** ticks are round times for an axis of a length, at most eight. */
export function ticks(length: number): number[] {
  const units = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];
  let unit = units.find((u) => length / u <= 7) ?? 0;
  if (!unit) for (unit = 7_200_000; length / unit > 7; unit *= 2);
  const found: number[] = [];
  for (let t = 0; t <= length; t += unit) found.push(t);
  return found;
}
