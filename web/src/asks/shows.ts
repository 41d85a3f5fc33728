// What an ask shows, in the parts in which a card can set it. Nothing is left out: each line of the text is in one part.
import { isObject, type Ask } from 'rein-client';

/** The label that stands in place of a secret begins so. */
const mask = '[redacted: ';

/** isMasked reports whether an ask shows labels in place of secrets. */
export function isMasked(ask: Ask): boolean {
  return [ask.text, ask.call?.args, ask.choices].some((part) => JSON.stringify(part ?? '').includes(mask));
}

/** bodyOf is the text of an ask without the line that the headline says in its own words. */
export function bodyOf(ask: Ask): string {
  if (ask.say && ask.text.startsWith(`${ask.say}\n`)) return ask.text.slice(ask.say.length + 1).replace(/^\n+/, '');
  const head = `Allow ${ask.call?.name}?\n`;
  return ask.kind === 'approval' && ask.call && ask.text.startsWith(head) ? ask.text.slice(head.length) : ask.text;
}

/** hasArguments reports whether a text has every value of the arguments, line by line. */
export function hasArguments(text: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (Array.isArray(value)) return value.every((v) => hasArguments(text, v));
  if (isObject(value)) return Object.values(value).every((v) => hasArguments(text, v));
  if (typeof value === 'string') return value.split('\n').every((line) => text.includes(line.replace(/\r$/, '')));
  if (typeof value === 'number') return text.includes(String(value));
  return false; // true says nothing without its name
}

/** A piece of what a command would do. */
export type Piece =
  | { kind: 'line'; text: string } // of the command, as it runs
  | { kind: 'part'; text: string; verdict: string; why: string }
  | { kind: 'grant'; text: string } // what it gets only if the person agrees
  | { kind: 'fact'; text: string };

const part = /^- (.*): (ask|allowed|denied) \((.*)\)$/;

/** pieces reads what the tool for commands shows. Every line is a piece: what cannot be read is a fact as it stands. */
export function pieces(text: string): Piece[] {
  const lines = text.replace(/\n+$/, '').split('\n');
  return lines.map((line): Piece => {
    if (line.startsWith('  | ')) return { kind: 'line', text: line.slice(4) };
    const found = part.exec(line);
    if (found) return { kind: 'part', text: found[1]!, verdict: found[2]!, why: found[3]! };
    if (line.startsWith('IF YOU AGREE')) return { kind: 'grant', text: line };
    return { kind: 'fact', text: line };
  });
}

/** isCommand reports whether a text is what the tool for commands shows. */
export const isCommand = (ask: Ask, text: string): boolean => ask.call?.name === 'execute_command' && /^Run in .*:\n {2}\| /.test(text);

/** How many lines of a text a card shows before somebody asks for the rest. */
export const most = 40;
const mostCharacters = 6000;

/** beginning is as much of a text as a card shows at first. */
export function beginning(text: string): string {
  let end = 0;
  for (let n = 0; n < most; n++) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.slice(0, mostCharacters);
    end = next + 1;
  }
  return text.slice(0, Math.min(end, mostCharacters)).replace(/\n$/, '');
}

/** equals finds for an ask the others that show the same, so that one look is enough for all of them. */
export function equals(asks: readonly Ask[], ask: Ask): Ask[] {
  return asks.filter((other) => other.id !== ask.id && sameShown(other, ask));
}

function sameShown(a: Ask, b: Ask): boolean {
  return looks(a) === looks(b);
}

/** Everything that a person sees of an ask, apart from who asks and until when. The digest is not compared: it holds the ID. */
function looks(a: Ask): string {
  const { kind, text, choices, call, effect, guessed, in_person, mode, modes, offers } = a;
  return JSON.stringify([kind, text, choices, call?.name, call?.args, effect, guessed, in_person, mode, modes, offers, a.for, a.on_expiry]);
}
