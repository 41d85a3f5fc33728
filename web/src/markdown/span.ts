import type { Citation } from './cite';

/**
 * Cut is a part of a note around what was cited. `isSpan` is false if nobody knows what of the note that was. `front` is
 * the front matter, which is not Markdown.
 */
export type Cut = { front: string; before: string; span: string; after: string; isSpan: boolean };

/**
 * cut parts the text of a note, which begins at the character `from`, at the cited characters. Whole lines are marked,
 * so that the Markdown of each part stays what it is. Characters are counted as Unicode does, not as JavaScript does.
 */
export function cut(text: string, from: number, citation: Citation): Cut {
  const found = place(text, from, citation);
  if (!found) return withoutFront({ front: '', before: '', span: text, after: '', isSpan: !!citation.section && text !== '' }, from);
  const [first, last] = found;
  const begin = text.lastIndexOf('\n', first - 1) + 1;
  const line = last > 0 && text[last - 1] === '\n' ? last - 1 : text.indexOf('\n', last);
  const stop = line < 0 ? text.length : line + 1;
  return withoutFront({ front: '', before: text.slice(0, begin), span: text.slice(begin, stop), after: text.slice(stop), isSpan: true }, from);
}

/** place finds what was cited: by its characters, or else by how it begins. Without either, the section that was read is it. */
function place(text: string, from: number, { start = 0, end = 0, quote = '' }: Citation): [number, number] | undefined {
  if (end > from) return [offset(text, start - from), offset(text, end - from)];
  const words = quote.replace(/…$/, '').trim().split(/\s+/).slice(0, 40).filter(Boolean);
  const found = words.length > 2 && new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'u').exec(text);
  return found ? [found.index, found.index + found[0].length] : undefined;
}

const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** withoutFront takes the front matter out of the piece that begins the note. */
function withoutFront(cut: Cut, from: number): Cut {
  const piece = cut.before ? 'before' : 'span';
  const found = from === 0 ? frontMatter.exec(cut[piece]) : null;
  return found ? { ...cut, front: found[1]!, [piece]: cut[piece].slice(found[0].length) } : cut;
}

/** offset is where the nth character of a text is. */
function offset(text: string, n: number): number {
  let at = 0;
  for (let i = 0; i < n && at < text.length; i++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
