// Markdown to tokens. Only marked's lexer is used: components make elements out of tokens, so no text of a model ever
// passes through an HTML parser. Everything is bounded, because whoever wrote the text may want the page to hang.
import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { refsIn } from './cite';

/** Plain is a text that is shown as it is, because it is too large or too deep to be read as Markdown. */
export type Plain = { type: 'plain'; raw: string; text: string };
export type MathToken = { type: 'math'; raw: string; text: string; display: boolean };
export type CiteToken = { type: 'cite'; raw: string; refs: string[]; label: string; wiki: boolean; sentence: string };
export type Block = (Token | Plain | MathToken) & { open?: boolean };

/** How deep quotes and lists may nest. Deeper ones are shown as plain text. */
export const deepest = 24;
/** How many characters of one paragraph are looked at for emphasis, links and the like. */
export const longestInline = 8_000;
const longestMath = 4_000;
const longestCitation = 600;

const containers = new RegExp(`^(?:[ \\t]{0,8}(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${deepest + 1},}`);
const indented = /^[ \t]{160,}/;
const hostile = new RegExp(`${containers.source}|${indented.source}`, 'm');

/** The text that is being lexed inline, so that a citation knows the sentence before it. */
let around = '';

const math = [
  {
    name: 'math',
    level: 'block' as const,
    start: (src: string) => nearest(src, [/(?:^|\n) {0,3}\$\$/, /(?:^|\n) {0,3}\\\[/]),
    tokenizer(src: string): MathToken | undefined {
      const open = /^ {0,3}(\$\$|\\\[)/.exec(src);
      return open ? closed(src, open[0], open[1] === '$$' ? '$$' : '\\]', true, /^[ \t]*(?:\n+|$)/) : undefined;
    },
  },
  {
    name: 'math',
    level: 'inline' as const,
    start: (src: string) => nearest(src, [/\$/, /\\[([]/]),
    tokenizer(src: string): MathToken | undefined {
      if (src.startsWith('$$')) return closed(src, '$$', '$$', true, /^/);
      if (src.startsWith('\\[')) return closed(src, '\\[', '\\]', true, /^/);
      if (src.startsWith('\\(')) return closed(src, '\\(', '\\)', false, /^/);
      // A price is not a formula: no blank inside the signs, and no digit behind the last.
      const found = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,800}?)\$(?!\d)/.exec(src);
      if (!found || /\s$/.test(found[1]!)) return;
      return { type: 'math', raw: found[0], text: found[1]!, display: false };
    },
  },
];

function nearest(src: string, all: RegExp[]): number | undefined {
  const found = all.map((r) => src.search(r)).filter((at) => at >= 0);
  return found.length ? Math.min(...found) : undefined;
}

function closed(src: string, open: string, end: string, display: boolean, after: RegExp): MathToken | undefined {
  const at = src.slice(0, longestMath).indexOf(end, open.length);
  if (at < 0) return;
  const rest = after.exec(src.slice(at + end.length));
  const text = src.slice(open.length, at).trim();
  if (!rest || !text) return;
  return { type: 'math', raw: src.slice(0, at + end.length + rest[0].length), text, display };
}

/** Known says what a reference is a source of, however it looks. */
export type Known = (ref: string) => boolean;

function citation(known: Known) {
  return {
    name: 'cite',
    level: 'inline' as const,
    start: (src: string) => nearest(src, [/!?\[/]),
    tokenizer(src: string): CiteToken | undefined {
      const wiki = /^!?\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{0,300}))?\]\]/.exec(src);
      if (wiki) return cite(src, wiki[0], [wiki[1]!.trim()], wiki[2] ?? '', true);
      if (src[0] !== '[') return;
      const end = matching(src);
      if (end < 0) return;
      const inner = src.slice(1, end - 1);
      const link = /^\(\s*(?:<([^<>\n]{1,500})>|([^()\s]{1,500}))\s*\)/.exec(src.slice(end));
      if (link) {
        const to = (link[1] ?? link[2]!).replaceAll('%20', ' ');
        const isFile = known(to) || (!/^(?:[A-Za-z][A-Za-z0-9+.-]*:|#|\/\/)/.test(to) && refsIn(to, known).length === 1);
        return isFile ? cite(src, src.slice(0, end + link[0].length), [to], inner, false) : undefined;
      }
      if (src[end] === '(' || src[end] === '[') return;
      const refs = refsIn(inner, known);
      return refs.length ? cite(src, src.slice(0, end), refs, '', false) : undefined;
    },
  };
}

function cite(src: string, raw: string, refs: string[], label: string, wiki: boolean): CiteToken {
  const at = around.length - src.length;
  const sentence = around.endsWith(src) ? around.slice(Math.max(0, at - 600), at + 200) : '';
  return { type: 'cite', raw, refs, label, wiki, sentence: sentence && cutSentence(sentence, Math.min(600, at)) };
}

function cutSentence(text: string, at: number): string {
  const before = text.slice(0, at).split('\n').at(-1)!;
  const last = before.trimEnd().replace(/[.!?]$/, '').search(/[.!?] (?=[^.!?]*$)/);
  return before.slice(last < 0 ? 0 : last + 2).trim() || text.slice(at).split('\n', 1)[0]!;
}

/** matching returns the end of the bracket that a text begins with, on the same line, or -1. */
function matching(src: string): number {
  let depth = 0;
  for (let i = 0; i < Math.min(src.length, longestCitation); i++) {
    const c = src[i];
    if (c === '\n') return -1;
    if (c === '\\') i++;
    else if (c === '[') depth++;
    else if (c === ']' && --depth === 0) return i + 1;
  }
  return -1;
}

const plainGrammar = new Marked({ gfm: true, extensions: math }).defaults;

/** A Grammar says what is read: with citations, or without. */
export function grammar(known?: Known) {
  return known ? new Marked({ gfm: true, extensions: [...math, citation(known)] }).defaults : plainGrammar;
}
export type Grammar = ReturnType<typeof grammar>;

/** lex reads a text as blocks. */
export function lex(text: string, how: Grammar = plainGrammar): Block[] {
  return segments(text).flatMap((s) => (typeof s === 'string' ? lexed(s, how) : [s]));
}

function lexed(text: string, how: Grammar): Block[] {
  try {
    const lexer = new Lexer(how);
    const src = text.replace(/\r\n|\r/g, '\n');
    lexer.blockTokens(src, lexer.tokens);
    for (const { src: inline, tokens } of lexer.inlineQueue) inlined(lexer, inline, tokens);
    lexer.inlineQueue = [];
    return (lexer.tokens as Block[]).filter((t) => t.type !== 'space' && t.type !== 'def');
  } catch (err) {
    if (!(err instanceof RangeError || err instanceof Error)) throw err;
    return [{ type: 'plain', raw: text, text }]; // too deep for the stack, or a mistake of the lexer
  } finally {
    around = '';
  }
}

function inlined(lexer: Lexer, src: string, tokens: Token[]) {
  if (src.length > longestInline) {
    tokens.push({ type: 'plain', raw: src, text: src } as Token);
    return;
  }
  around = src;
  lexer.inlineTokens(src, tokens);
}

/** segments parts a text into what may be lexed and lines that are too deep for that. */
function segments(text: string): (string | Plain)[] {
  if (!hostile.test(text)) return text ? [text] : [];
  const all: (string | Plain)[] = [];
  let fence = '';
  let open = '';
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (!fence) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    if (fence || !hostile.test(line)) {
      open += line;
      continue;
    }
    if (open) all.push(open);
    open = '';
    const last = all.at(-1);
    if (typeof last === 'object') last.raw = last.text += line;
    else all.push({ type: 'plain', raw: line, text: line });
  }
  if (open) all.push(open);
  return all;
}

/**
 * A Stream reads a text that grows. What comes before the last block is read once; only the last block, which may
 * still change, is read again.
 */
export class Stream {
  #how: Grammar;
  #text = '';
  #from = 0; // where the open block begins
  #fence: { mark: string; at: number; info: string; body: number } | undefined;
  #ready: Block[] = [];

  constructor(how: Grammar = plainGrammar) {
    this.#how = how;
  }

  /** How many characters the next reading looks at. */
  get tail(): number {
    return this.#fence ? 0 : this.#text.length - this.#from;
  }

  /** grow returns the blocks of a text, which usually continues the one before. */
  grow(text: string): Block[] {
    if (!this.#continues(text)) this.#reset();
    this.#text = text;
    if (this.#fence) {
      const still = this.#inFence();
      if (still) return [...this.#ready, still];
    }
    const tail = text.slice(this.#from);
    const blocks = lex(tail, this.#how);
    this.#settle(tail, blocks);
    const open = this.#fence && this.#inFence();
    return open ? [...this.#ready, open] : [...this.#ready, ...blocks.slice(-1)];
  }

  /** end returns the blocks of the whole text. Those that did not change are the same objects. */
  end(text: string, before: Block[]): Block[] {
    this.#reset();
    const all = lex(text, this.#how);
    if (/^ {0,3}\[[^\]\n]+\]:/m.test(text)) return all; // a definition at the end changes links before it
    return all.map((block, i) => (before[i] && !before[i].open && before[i].raw === block.raw && before[i].type === block.type ? before[i] : block));
  }

  #continues(text: string): boolean {
    const old = this.#text;
    if (text.length < old.length) return false;
    // The whole beginning is compared at the end of a stream; here a window is enough, and cheap.
    const at = Math.max(0, old.length - 256);
    return text.startsWith(old.slice(at), at) && text.startsWith(old.slice(0, 64));
  }

  #reset() {
    this.#text = '';
    this.#from = 0;
    this.#fence = undefined;
    this.#ready = [];
  }

  /** settle keeps all blocks but the last, whose end is not known yet. */
  #settle(tail: string, blocks: Block[]) {
    const last = blocks.at(-1);
    if (!last) return;
    const at = tail.lastIndexOf(last.raw);
    if (at > 0 && !tail.includes('\r')) {
      this.#ready = [...this.#ready, ...blocks.slice(0, -1)];
      this.#from += at;
    }
    const open = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/.exec(this.#text.slice(this.#from, this.#from + 400));
    if (last.type !== 'code' || !open || (blocks.length > 1 && at <= 0)) return;
    const body = this.#from + open[0].length;
    this.#fence = { mark: open[2]!, at: body, info: open[3]!.trim(), body };
  }

  /** inFence returns the open block of code, or nothing if it has ended. */
  #inFence(): Block | undefined {
    const f = this.#fence!;
    const close = new RegExp(`^ {0,3}${f.mark[0] === '~' ? '~' : '`'}{${f.mark.length},}[ \\t]*$`);
    for (;;) {
      const next = this.#text.indexOf('\n', f.at);
      if (next < 0) break;
      if (close.test(this.#text.slice(f.at, next))) {
        this.#fence = undefined;
        return;
      }
      f.at = next + 1;
    }
    if (close.test(this.#text.slice(f.at))) {
      return { type: 'code', raw: this.#text.slice(this.#from), lang: f.info, text: this.#text.slice(f.body, Math.max(f.body, f.at - 1)), open: true } as Tokens.Code & { open: boolean };
    }
    return { type: 'code', raw: this.#text.slice(this.#from), lang: f.info, text: this.#text.slice(f.body), open: true } as Tokens.Code & { open: boolean };
  }
}
