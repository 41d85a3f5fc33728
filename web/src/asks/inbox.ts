// The order of the inbox.
import type { Ask, Rein } from 'rein-client';

/** rootOf is the run at the top of the tree that a run is in: there people see what asks. */
export const rootOf = (run: string): string => run.split('.')[0]!;

export interface Group {
  root: string;
  asks: Ask[];
}

/** byRun groups asks by tree, in the order in which the first of each was opened; within a group too. */
export function byRun(asks: readonly Ask[]): Group[] {
  const groups = new Map<string, Ask[]>();
  for (const ask of [...asks].sort((a, b) => Date.parse(a.opened) - Date.parse(b.opened))) {
    const root = rootOf(ask.run);
    groups.set(root, [...(groups.get(root) ?? []), ask]);
  }
  return [...groups].map(([root, asks]) => ({ root, asks }));
}

/** merge brings a list up to date: nothing goes, what is over stays over. */
export function merge(known: readonly Ask[], now: readonly Ask[]): Ask[] {
  const news = new Map(now.map((ask) => [ask.id, ask]));
  const kept = known.map((ask) => {
    const newer = news.get(ask.id);
    news.delete(ask.id);
    return newer && ask.state === 'pending' ? newer : ask;
  });
  return [...kept, ...news.values()];
}

const roots = 8;
const most = 12;

/** lately reads what was answered in the newest runs, the last answer first. */
export async function lately(rein: Rein): Promise<Ask[]> {
  const { runs } = await rein.listRuns({ roots: true, newest: true, limit: roots });
  const trees = await Promise.all(runs.map((run) => rein.listAsks({ tree: run.id })));
  return trees
    .flatMap((tree) => tree.asks)
    .filter((ask) => ask.state !== 'pending')
    .sort((a, b) => Date.parse(b.closed ?? '') - Date.parse(a.closed ?? ''))
    .slice(0, most);
}
