// Files on their way into a session, and those that are there and go with the next message. They are uploaded at once,
// also before the session exists, so a reload loses none of them.
import { ReinError, type Image } from 'rein-client';
import type { Attached } from '../lib/drafts';
import { house } from '../lib/house.svelte';
import { upload } from './upload';

/** The most that the server takes as one file. */
export const maxFile = 10 * 2 ** 20;
/** The most that the server takes as an image of a message, in bytes and in pixels of each side. */
const maxImage = 3_900_000;
const maxSide = 8000;
/** What all images of one message may have, so that the request stays within 8 MiB as base64. */
const maxImages = 5_500_000;
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export interface Attachment extends Attached {
  id: number;
  state: 'uploading' | 'ready' | 'failed';
  /** From 0 to 1. */
  progress: number;
  error?: unknown;
  /** Why it was refused before anything was sent. */
  refused?: 'large';
  /** Shows the image in this page. */
  preview?: string;
}

export function isImage(type: string): boolean {
  return imageTypes.includes(type);
}

export class Attachments {
  all = $state.raw<readonly Attachment[]>([]);
  readonly uploading = $derived(this.all.some((a) => a.state === 'uploading'));
  readonly failed = $derived(this.all.some((a) => a.state === 'failed'));
  readonly #session: () => string;
  readonly #changed: (ready: readonly Attached[]) => void;
  readonly #contents = new Map<number, Blob>();
  readonly #aborts = new Map<number, AbortController>();
  #next = 1;

  /** `session` names the session that they go to; `changed` gets the list that a draft keeps. */
  constructor(session: () => string, changed: (ready: readonly Attached[]) => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** restore takes over what a draft had. Pictures are read again to be shown. */
  restore(files: readonly Attached[]) {
    for (const file of files) {
      if (this.all.some((a) => a.name === file.name)) continue;
      const id = this.#next++;
      this.all = [...this.all, { ...file, id, state: 'ready', progress: 1 }];
      if (isImage(file.type)) void this.#content(id, file).then((blob) => this.#change(id, { preview: URL.createObjectURL(blob) }), () => undefined);
    }
  }

  /** add uploads files. Those that the server would refuse are refused here, with the reason. */
  async add(files: readonly File[]) {
    await Promise.all(files.map((file) => this.#add(file)));
  }

  async #add(file: File) {
    const id = this.#next++;
    const name = this.#free(file.name || 'file');
    const refused = file.size > maxFile ? 'large' : undefined;
    const preview = !refused && isImage(file.type) ? URL.createObjectURL(file) : undefined;
    this.all = [...this.all, { id, name, type: file.type, size: file.size, state: refused ? 'failed' : 'uploading', progress: 0, ...(refused ? { refused } : {}), ...(preview ? { preview } : {}) }];
    if (refused) return;
    this.#contents.set(id, file);
    await this.#send(id, name, file);
  }

  async #send(id: number, name: string, content: Blob) {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    try {
      const kept = await upload(this.#session(), name, content, (progress) => this.#change(id, { progress }), abort.signal);
      this.#change(id, { state: 'ready', progress: 1, name: kept.name, type: kept.type, size: kept.size });
      this.#tell();
    } catch (error) {
      if (!abort.signal.aborted) this.#change(id, { state: 'failed', error });
    } finally {
      this.#aborts.delete(id);
    }
  }

  retry(id: number) {
    const [one, content] = [this.all.find((a) => a.id === id), this.#contents.get(id)];
    if (!one || !content) return;
    this.#change(id, { state: 'uploading', progress: 0, error: undefined });
    void this.#send(id, one.name, content);
  }

  /** remove takes one off the message, and its file from the session. */
  async remove(id: number) {
    const one = this.all.find((a) => a.id === id);
    this.#aborts.get(id)?.abort();
    this.#forget(id);
    this.#tell();
    if (one?.state !== 'ready') return;
    try {
      await house.rein.deleteFile(this.#session(), one.name);
    } catch (err) {
      if (!(err instanceof ReinError && err.status === 404)) throw err;
    }
  }

  /** clear lets go of them when the message has left. */
  clear() {
    for (const { id } of this.all) this.#forget(id);
  }

  /** images returns what a model sees beside the text, as far as a message takes it, and the names of the others. */
  async images(): Promise<{ images: Image[]; others: string[] }> {
    const images: Image[] = [];
    const others: string[] = [];
    let room = maxImages;
    for (const one of this.all) {
      const content = isImage(one.type) && one.size <= Math.min(maxImage, room) ? await this.#content(one.id, one) : undefined;
      if (!content || !(await fits(content))) {
        others.push(one.name);
        continue;
      }
      room -= content.size;
      images.push({ type: one.type, name: one.name, data: await base64(content) });
    }
    return { images, others };
  }

  async #content(id: number, file: Attached): Promise<Blob> {
    const content = this.#contents.get(id) ?? new Blob([await house.rein.readFile(this.#session(), file.name)], { type: file.type });
    this.#contents.set(id, content);
    return content;
  }

  /** Two pasted pictures have the same name; a file of the same name would replace the first. */
  #free(name: string): string {
    const taken = new Set(this.all.map((a) => a.name));
    const dot = name.lastIndexOf('.');
    const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${stem}-${n}${end}`;
    return free;
  }

  #change(id: number, change: Partial<Attachment>) {
    this.all = this.all.map((a) => (a.id === id ? { ...a, ...change } : a));
  }

  #forget(id: number) {
    const preview = this.all.find((a) => a.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    this.#contents.delete(id);
    this.all = this.all.filter((a) => a.id !== id);
  }

  #tell() {
    this.#changed(this.all.filter((a) => a.state === 'ready').map(({ name, type, size }) => ({ name, type, size })));
  }
}

/** A picture that is too large for a model goes as a file. */
async function fits(content: Blob): Promise<boolean> {
  try {
    const picture = await createImageBitmap(content);
    const ok = Math.max(picture.width, picture.height) <= maxSide;
    picture.close();
    return ok;
  } catch {
    return false; // not a picture, whatever its name says
  }
}

async function base64(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** filesOf takes the files out of what was pasted or dropped. A pasted picture gets a name of its own. */
export function filesOf(data: DataTransfer | null, now = new Date()): File[] {
  const at = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return [...(data?.files ?? [])].map((file) => (/^image\.\w+$/.test(file.name) ? new File([file], file.name.replace('image', `pasted-${at}`), { type: file.type }) : file));
}
