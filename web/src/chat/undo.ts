// What runs changed in files and notes, and how it is taken back: by a run of its own, which shows the diff and asks.
import type { FileChange, Rein } from 'rein-client';

export interface ChangedFile {
  path: string;
  /** The newest change of it was not undone. */
  stands: boolean;
}

/** changedFiles lists the files of changes, each once, the newest first. */
export function changedFiles(changes: readonly FileChange[]): ChangedFile[] {
  const all = new Map<string, ChangedFile>();
  for (const change of changes) {
    for (const { path } of change.files) if (!all.has(path)) all.set(path, { path, stands: !change.undone_by });
  }
  return [...all.values()];
}

/** undoRun starts the run that undoes what another one changed, in its session. Returns its ID. */
export async function undoRun(rein: Rein, run: string, session: string, workspace?: string): Promise<string> {
  const started = await rein.startRun({ task: { flow: 'undo', session, settings: { run }, ...(workspace ? { workspace } : {}) } });
  return started.id;
}
