// What of a model's reply is prose for people. It is the rule of the server, which shows a reply while it is written:
// see internal/prose there.

/** The longest object at the end of a reply that is not a part of the text. */
const maxTail = 400;

/** What begins what is not prose: objects and lists, blocks of calls, and code. */
const openers = "{[<`~";

/** A Gate passes on a reply while it is written, as far as it can only be prose. */
export interface Gate {
  readonly held: string;
  readonly begun: boolean;
  readonly shut: boolean;
  /** The line that held continues has words in it. */
  readonly inLine: boolean;
}

/** A gate of a reply that may not be prose, or of one that is and may only end with an object. */
export function gate(isProse: boolean): Gate {
  return { held: "", begun: isProse, shut: false, inLine: false };
}

/** write takes the next piece, and returns what can be shown now. */
export function write(g: Gate, text: string): [Gate, shown: string] {
  if (g.shut) return [g, ""];
  let { begun, inLine } = g;
  const held = g.held + text;
  if (!begun) {
    const words = held.trimStart();
    if (words === "") return [{ ...g, held }, ""];
    if (openers.includes(words[0]!)) return [{ ...g, held: "", shut: true }, ""];
    begun = true;
  }
  let n = held.length;
  for (let i = 0; i < held.length; i++) {
    const c = held[i]!;
    if (c === "\n") inLine = false;
    else if (c === " " || c === "\t" || c === "\r") continue;
    else if (!inLine && opensTail(held, i) && held.length - i < maxTail) {
      n = i;
      break;
    } else inLine = true;
  }
  return [{ held: held.slice(n), begun, shut: false, inLine }, held.slice(0, n)];
}

/** close ends the reply: what is held is shown, unless it is an object. */
export function close(g: Gate): string {
  return g.begun && !isObject(g.held) ? g.held : "";
}

/** An object, or a fence around one, begins here or may begin. */
function opensTail(text: string, at: number): boolean {
  return text[at] === "{" || text.startsWith("```", at) || "```".startsWith(text.slice(at));
}

function isObject(text: string): boolean {
  const block = lastObject(text);
  return block !== undefined && text.slice(0, block.start).trim() === "" && text.slice(block.end).trim() === "";
}

/** prose returns the part of a whole reply that is for people; undefined: the reply is something else. */
export function prose(reply: string): string | undefined {
  const [g, shown] = write(gate(false), reply);
  const text = shown + close(g);
  return text.trim() === "" ? undefined : text;
}

/** withoutTail returns a whole text without the object at its end. */
export function withoutTail(text: string): string {
  const [g, shown] = write(gate(true), text);
  return shown + close(g);
}

/** thought returns a text without the block of JSON at its end, which is for the flow. */
export function thought(text: string): string {
  const block = lastObject(text);
  return (block && text.slice(block.end).trim() === "" ? text.slice(0, block.start) : text).trim();
}

/** A block is where an object is in a text, with the fence around it. */
interface Block {
  start: number;
  end: number;
  text: string;
}

/** lastObject finds the last object in a text, however well it is written. */
export function lastObject(text: string): Block | undefined {
  let found: Block | undefined;
  for (let i = text.indexOf("{"); i >= 0; i = text.indexOf("{", i)) {
    const end = closing(text, i);
    if (end < 0) break; // whatever follows is inside it
    found = fenced(text, { start: i, end, text: text.slice(i, end) });
    i = end;
  }
  return found;
}

/** closing is where the object that opens here ends, or -1. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let i = start, quote = false; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === "\\") i++;
      else if (c === '"') quote = false;
    } else if (c === '"') quote = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

const opening = /```[a-z]*\s*$/i;
const ending = /^\s*```/;

function fenced(text: string, b: Block): Block {
  const before = opening.exec(text.slice(Math.max(0, b.start - 20), b.start));
  const after = ending.exec(text.slice(b.end, b.end + 20));
  return before && after ? { ...b, start: b.start - before[0].length, end: b.end + after[0].length } : b;
}
