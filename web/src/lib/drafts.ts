// What somebody has typed and not sent yet. It is kept in the browser for each user and session, and let go of only
// when the server has it.
import type { Task } from 'rein-client';
import { keep, kept } from './device.svelte';

/** A file of the session that goes with a message. */
export interface Attached {
  name: string;
  type: string;
  size: number;
}

/** What was sent, or may have been: sending the same again uses the same ID, so it happens once. */
export interface Sent {
  run: string;
  /** what a person typed, attached and chose, as one text to compare */
  what: string;
  /** how the run works: what follows from the session may be another by now */
  task: Partial<Task>;
}

/** A message whose answer has not come yet. */
export interface Outgoing extends Sent {
  text: string;
  files: readonly Attached[];
}

export interface Draft {
  text: string;
  files: readonly Attached[];
  /** For a new session: the ID that it will have. Files wait for it there. */
  session?: string;
  sent?: Sent;
  out?: Outgoing;
}

export const blank: Draft = { text: '', files: [] };

/** draftKey names the draft of a user in a session; without one, of their next session. */
export function draftKey(user: string, session = ''): string {
  return `draft ${user} ${session}`;
}

/** readDraft returns a kept draft. A message of which nobody knows whether it arrived is part of it again. */
export function readDraft(key: string): Draft {
  return returned(parsed(kept(key)));
}

function parsed(text: string | null): Draft {
  try {
    const draft = JSON.parse(text ?? '') as Draft;
    return typeof draft.text === 'string' && Array.isArray(draft.files) ? draft : blank;
  } catch {
    return blank;
  }
}

/** writeDraft keeps a draft, or nothing if there is nothing in it. */
export function writeDraft(key: string, draft: Draft) {
  const { text, files, session, out } = draft;
  keep(key, text || files.length || session || out ? JSON.stringify(draft) : null);
}

/** leaving is the draft while what it holds is being sent under an ID. */
export function leaving(draft: Draft, sent: Sent): Draft {
  const { text, files, session } = draft;
  return { ...blank, ...(session ? { session } : {}), out: { text, files, ...sent } };
}

/** returned is the draft when a message did not leave: it stands before what was typed since. */
export function returned(draft: Draft): Draft {
  const { out, ...rest } = draft;
  if (!out) return draft;
  const text = [out.text, rest.text].filter(Boolean).join('\n');
  return { ...rest, text, files: [...out.files, ...rest.files], sent: { run: out.run, what: out.what, task: out.task } };
}

/** arrived is the draft when the server has the message. */
export function arrived(draft: Draft): Draft {
  return { text: draft.text, files: draft.files };
}
