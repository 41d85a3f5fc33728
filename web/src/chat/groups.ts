// The list of sessions in groups, as people look for them: pinned ones, then by day.
import type { Session } from 'rein-client';

export type GroupName = 'pinned' | 'today' | 'yesterday' | 'week' | 'older';
export interface Group {
  name: GroupName;
  sessions: Session[];
}

const names: readonly GroupName[] = ['pinned', 'today', 'yesterday', 'week', 'older'];

/** grouped keeps the order of the sessions within each group. Groups without any are left out. `now` says what today is. */
export function grouped(sessions: readonly Session[], now: Date): Group[] {
  const starts = [0, 1, 7].map((days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime());
  const groups = names.map((name) => ({ name, sessions: [] as Session[] }));
  for (const session of sessions) {
    const at = new Date(session.changed).getTime();
    const day = starts.findIndex((start) => at >= start);
    groups[session.pinned ? 0 : day < 0 ? 4 : day + 1]!.sessions.push(session);
  }
  return groups.filter((g) => g.sessions.length > 0);
}

/** joined adds pages that were read before to the newest ones. What is in both is as the newest list has it. */
export function joined(newest: readonly Session[], older: readonly Session[]): readonly Session[] {
  if (!older.length) return newest;
  const has = new Set(newest.map((s) => s.id));
  return [...newest, ...older.filter((s) => !has.has(s.id))];
}
