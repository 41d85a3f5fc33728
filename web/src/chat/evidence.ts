// What the tools of a run have returned so far, as sources that its answer may name. Package flow/answer judges the answer
// when it is whole; this says meanwhile what surely can be one of its sources.
import type { Item, ToolItem } from 'rein-client';
import type { Citation } from '../markdown/cite';

/** A Found is a place that a tool returned, and the text that stands there. */
export type Found = Citation & { text: string };

/** An Evidence grows with the items of a run. Its list stays the same object until there is more. */
export class Evidence {
  #seen = new Set<string>();
  #all: readonly Found[] = [];

  of(items: readonly Item[]): readonly Found[] {
    const more: Found[] = [];
    for (const item of items) {
      if (item.kind !== 'tool' || !item.result || this.#seen.has(item.id)) continue;
      this.#seen.add(item.id);
      more.push(...foundBy(item));
    }
    if (more.length) this.#all = [...this.#all, ...more];
    return this.#all;
  }
}

/** foundBy returns the places in the result of a call. What the result is, the tool says. */
export function foundBy({ result, args }: Pick<ToolItem, 'result' | 'args'>): Found[] {
  if (!result || result.status !== 'ok') return [];
  const asked = result.mended ? {} : fields(args); // else the tool was given other arguments than these
  switch (result.evidence ?? '') {
    case 'hits':
      return hits(result.data) ?? [];
    case 'note':
      return note(result.data, {}) ?? [];
    case 'file':
      return place(fields(result.data), result.text ?? '').map((f) => ({ ...f, file: true }));
    case '': // a log from before tools said it
      return hits(result.data) ?? note(result.data, asked) ?? place(asked, result.text ?? '');
  }
  return [];
}

type Fields = { [name: string]: unknown };

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {});
const word = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' ? value : undefined);

function hits(data: unknown): Found[] | undefined {
  const list = Array.isArray(data) ? data : fields(data).data;
  if (!Array.isArray(list)) return;
  return list.map(fields).flatMap((hit) => [...(word(hit.block) ? place({ ...hit, section: hit.block }, word(hit.snippet)) : []), ...place(hit, word(hit.snippet))]);
}

function note(data: unknown, asked: Fields): Found[] | undefined {
  const { text, meta } = fields(data);
  if (typeof text !== 'string') return;
  return place(word(fields(meta).path) ? fields(meta) : asked, text);
}

function place(of: Fields, text: string): Found[] {
  const path = word(of.path);
  return path && text.trim() ? [{ path, section: word(of.section), ok: true, quote: text.slice(0, 200), start: number(of.start), end: number(of.end), hash: word(of.hash), text }] : [];
}
