// How an answer names its sources: [path#section], [[wiki links]] and links to files. Package flow/answer checks each
// against what its tools read; here they are found again in the text, to be shown as numbers.

/** A Citation is a source that an answer names, as in the data of its outcome. */
export type Citation = {
  path: string;
  section?: string;
  /** a tool returned it in this run */
  ok: boolean;
  /** how the passage begins */
  quote?: string;
  /** the characters of the note that were read, and its hash at that time */
  start?: number;
  end?: number;
  hash?: string;
  /** it names a file and not a note */
  file?: boolean;
};

/** A Claim is a sentence whose source has too few of its words. */
export type Claim = { text: string; source: string; support: number; missing?: string[] };

/** A Mention is a place in a text that names a source. */
export type Mention = { ref: string; wiki: boolean };

export const nameOf = (c: { path: string; section?: string }) => (c.section ? `${c.path}#${c.section}` : c.path);

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const file = /[^/.][^/]*\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const document = /[^/.][^/]*\.(md|mdx|markdown|txt|org|rst|adoc|pdf|html?|canvas|docx?|odt|rtf|csv|xlsx?|pptx?|epub)$/i;

/** isCitation reports whether the text between two brackets names a source, or looks as if it did. */
export function isCitation(ref: string): boolean {
  const cut = ref.indexOf('#');
  const path = (cut < 0 ? ref : ref.slice(0, cut)).trimEnd();
  const section = cut < 0 ? '' : ref.slice(cut + 1).trim();
  if (!ref || scheme.test(ref) || ref[0] === '^' || ref[0] === '!' || /[;,[\]]/.test(path)) return false;
  if (document.test(path)) return true;
  if (path.includes(' ')) return false;
  if (section) return file.test(path) || path.includes('/');
  return file.test(path) && path.includes('/');
}

/** refsIn returns the sources that the text between two brackets names; none, unless all of it does. */
export function refsIn(inner: string, known: (ref: string) => boolean): string[] {
  const whole = inner.trim();
  if (!whole) return [];
  if (known(whole)) return [whole];
  const all = inner.split(/[;,]/).map((part) => part.trim()).filter(Boolean);
  const cites = (ref: string) => known(ref) || isCitation(ref);
  if (all.length && all.every(cites)) return all;
  return cites(whole) ? [whole] : [];
}

/** find returns which of the citations a reference means, or -1. */
export function find(all: readonly Citation[], ref: string, wiki: boolean): number {
  for (let at = 0; at <= ref.length; at++) {
    if (at < ref.length && ref[at] !== '#') continue; // a path may hold the mark that parts it from the section
    const path = ref.slice(0, at);
    const section = ref.slice(at + 1).trim();
    const found = all.findIndex((c) => samePath(c.path, path, wiki) && sameSection(c.section ?? '', section));
    if (found >= 0) return found;
  }
  return -1;
}

/** support finds in what was read the source that a reference names: its path, or a section of it that was read. */
export function support(all: readonly (Citation & { text: string })[], ref: string, wiki: boolean): Citation | undefined {
  for (let at = 0; at <= ref.length; at++) {
    if (at < ref.length && ref[at] !== '#') continue;
    const path = ref.slice(0, at);
    const section = ref.slice(at + 1).trim();
    const found = all.findLast((c) => samePath(c.path, path, wiki) && (!section || sameSection(c.section ?? '', section) || hasHeading(c.text, section)));
    if (found) return { ...found, section };
  }
}

/** named is a source that only a text names. */
export function named(ref: string): Citation {
  const cut = ref.indexOf('#');
  return { path: cut < 0 ? ref : ref.slice(0, cut), section: cut < 0 ? '' : ref.slice(cut + 1).trim(), ok: false };
}

const hasHeading = (text: string, section: string) => text.split('\n').some((line) => line.startsWith('#') && sameSection(line, section));

function samePath(path: string, cited: string, wiki: boolean): boolean {
  const plain = (s: string) => s.trim().replace(/^\.\//, '').replace(/^\//, '');
  path = plain(path);
  cited = plain(cited);
  if (!cited || !path) return false;
  const bare = path.replace(/\.md$/, '');
  if (path === cited || bare === cited) return true;
  return wiki && (path.endsWith(`/${cited}`) || bare.endsWith(`/${cited}`));
}

function sameSection(a: string, b: string): boolean {
  const plain = (s: string) => s.replace(/^[# ]+|[# ]+$/g, '').split(/\s+/).join(' ').toLowerCase();
  return plain(a) === plain(b);
}

/** sentenceBefore returns the sentence that a citation at this place is about, as package flow/answer cuts it. */
export function sentenceBefore(text: string, at: number): string {
  let begin = 0;
  for (let i = at - 1; i > 0; i--) {
    const ends = '.!?'.includes(text[i - 1]!);
    if (text[i] === '\n' || (ends && text[i] === ' ' && text.slice(i, at).trim() !== '')) {
      begin = i;
      break;
    }
  }
  const before = text.slice(begin, at).trim();
  if (before.replace(/^[-*>#0-9. ]+|[-*>#0-9. ]+$/g, '')) return before;
  return text.slice(at).split('\n', 1)[0]!;
}

/** doubtOf finds the claim that speaks against a sentence and its source. */
export function doubtOf(claims: readonly Claim[], source: Citation, sentence: string): Claim | undefined {
  const plain = (s: string) => s.replace(/…$/, '').replace(/^[\s\-*>#\d.]+/, '').split(/\s+/).join(' ').trim();
  const said = plain(sentence);
  return claims.find((c) => {
    const claimed = plain(c.text);
    return c.source === nameOf(source) && claimed !== '' && (said.includes(claimed) || claimed.includes(said));
  });
}

/** A Piece of a passage; `cited` marks words that the sentence has too. */
export type Piece = { text: string; cited: boolean };

/** shared marks in a passage the words that a sentence says too: those that carry meaning, by their beginnings. */
export function shared(passage: string, sentence: string): Piece[] {
  const key = (word: string) => [...word.toLowerCase()].slice(0, 5).join('');
  const words = new Set((sentence.match(/[\p{L}\p{N}]+/gu) ?? []).filter((w) => w.length > 3 || /\p{N}/u.test(w)).map(key));
  const all: Piece[] = [];
  for (const [piece] of passage.matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu)) {
    const cited = words.has(key(piece));
    const last = all.at(-1);
    if (last && last.cited === cited) last.text += piece;
    else all.push({ text: piece, cited });
  }
  return all;
}
