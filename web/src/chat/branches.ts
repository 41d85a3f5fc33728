// Other ways that a conversation took: a message that was edited begins a session of its own, which shares what came
// before.
import { ReinError, type BranchPoint, type FileChange, type Message, type Rein, type Run, type Runs, type RunStart, type Sibling, type Task } from 'rein-client';

/** branchesOf lists where other sessions leave this conversation. */
export async function branchesOf(rein: Rein, session: string): Promise<BranchPoint[]> {
  try {
    return (await rein.listBranches(session)).points;
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}

/** historyOf lists the root runs of a conversation, the newest first, with those that it inherits. */
export async function historyOf(rein: Rein, session: string, limit: number, after = ''): Promise<Runs> {
  try {
    return await rein.sessionHistory(session, { newest: true, limit, after });
  } catch (err) {
    if (isMissing(err)) return { runs: [] }; // it has no run yet
    throw err;
  }
}

/** branch starts a session that has all that came before a run, with a run for the edited message. */
export async function branch(rein: Rein, session: string, run: Run, text: string): Promise<{ session: string; run: string }> {
  const task = await editedTask(rein, run, text);
  const started = await rein.branchSession(session, { run: run.id, task });
  return { session: started.session, run: started.id };
}

/** What a run was asked and how it worked, with another message. */
async function editedTask(rein: Rein, run: Run, text: string): Promise<Task> {
  const page = await rein.events(run.id, { limit: 1 });
  const { task } = (page.lines[0]?.event?.data ?? {}) as Partial<RunStart>;
  const { flow = run.flow, model, tools, settings, mode, workspace, folder, zone, language, messages = [] } = task ?? {};
  const asked = messages.findLast((m) => m.role === 'user');
  return defined({ flow, model, tools, settings, mode, workspace, folder, zone, language, messages: [await withImages(rein, run.id, text, asked)] });
}

/** The log names images by their hashes; a new task brings them. */
async function withImages(rein: Rein, run: string, text: string, asked: Message | undefined): Promise<Message> {
  const images = await Promise.all(
    (asked?.images ?? []).flatMap((image) => (image.sha256 ? [rein.readImage(run, image.sha256).then(async (blob) => defined({ name: image.name, type: image.type, data: base64(await blob.arrayBuffer()) }))] : [])),
  );
  return { role: 'user', text, ...(images.length ? { images } : {}) };
}

function base64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}

function defined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}

/** otherWays lists what the siblings of a run did to files and notes and what still stands, the newest first. */
export async function otherWays(rein: Rein, point: BranchPoint): Promise<FileChange[]> {
  const others = point.siblings.filter((s) => s.run !== point.run && !s.erased);
  const all = await Promise.all(others.map(async (s) => {
    const { changes } = await rein.listFileChanges({ session: s.session, limit: 100 });
    return changes.filter((c) => c.undoable && c.at >= s.started);
  }));
  return all.flat();
}

/** placeOf is which of the siblings a conversation is, and its neighbours. */
export function placeOf(point: BranchPoint): { n: number; of: number; before?: Sibling; after?: Sibling } {
  const at = point.siblings.findIndex((s) => s.run === point.run);
  return { n: at + 1, of: point.siblings.length, before: point.siblings[at - 1], after: point.siblings[at + 1] };
}

function isMissing(err: unknown): boolean {
  return err instanceof ReinError && err.status === 404;
}
