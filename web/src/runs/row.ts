// What a row of the table says of a run.
import type { Ask, Run, Status } from 'rein-client';

const ended: ReadonlySet<Status> = new Set<Status>(['done', 'limit', 'declined', 'stopped', 'cancelled', 'deleted', 'failed']);

export const isOver = (run: { status: Status }) => ended.has(run.status);

/** tookOf is how long a run took so far, in milliseconds: until it ended, or until now. */
export function tookOf(run: Run, now: number): number {
  const until = isOver(run) ? Date.parse(run.ended ?? run.changed) : now;
  return Math.max(0, until - Date.parse(run.started));
}

/** waitingOf counts the open asks of a run and everything below it. */
export function waitingOf(run: string, asks: readonly Ask[]): number {
  return asks.filter((ask) => ask.run === run || ask.run.startsWith(`${run}.`)).length;
}
