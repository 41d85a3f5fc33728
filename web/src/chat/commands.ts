// What a text that begins with a slash stands for, and what a word that is being typed can become.
import type { SlashCommand } from 'rein-client';

/** split takes a typed text apart if it begins with a slash and a name: "/etc/fstab is wrong" is a task like any other. */
export function split(typed: string): { name: string; rest: string } | undefined {
  const found = /^\/([a-z0-9_-]+)(?:\s+([\s\S]*))?$/.exec(typed.trim());
  return found ? { name: found[1]!, rest: (found[2] ?? '').trim() } : undefined;
}

/**
 * expand is the task that a command stands for: $ARGUMENTS is what follows the name, $1 to $9 are its words, and a text
 * with none of them has it appended. What is filled in is not looked at again.
 */
export function expand(command: SlashCommand, rest: string): string {
  const text = command.text ?? '';
  const words = rest.split(/\s+/).filter(Boolean);
  const places = /\$(ARGUMENTS|[1-9])/g;
  if (!places.test(text)) return `${text}\n\n${rest}`.trim();
  return text.replace(places, (_, which: string) => (which === 'ARGUMENTS' ? rest : (words[Number(which) - 1] ?? '')));
}

/** A Word is what is being typed and can be completed: `/rev`, `/preset x`, `@no`. */
export interface Word {
  kind: 'command' | 'preset' | 'file';
  /** What was typed of it so far. */
  typed: string;
  /** Where in the text it begins, with its sign, and ends. */
  from: number;
  to: number;
}

/** wordAt finds the word at the cursor that can be completed. */
export function wordAt(text: string, cursor: number): Word | undefined {
  const before = text.slice(0, cursor);
  const preset = /^\/preset +(\S*)$/.exec(before);
  if (preset) return { kind: 'preset', typed: preset[1]!, from: cursor - preset[1]!.length, to: cursor };
  const command = /^\/([a-z0-9_-]*)$/.exec(before);
  if (command) return { kind: 'command', typed: command[1]!, from: 0, to: cursor };
  const file = /(?:^|[\s(])@("?)([^\s"@]*)$/.exec(before) ?? /(?:^|[\s(])@(")([^"@]*)$/.exec(before);
  if (file) return { kind: 'file', typed: file[2]!, from: cursor - file[2]!.length - file[1]!.length - 1, to: cursor };
  return undefined;
}

/** An Option is one way to complete a word. */
export interface Option {
  /** What is put in the place of the word. */
  put: string;
  label: string;
  about?: string;
  /** It is listed, and cannot be chosen. */
  inert?: boolean;
}

/** matching returns the options that fit what was typed: those that begin with it first. */
export function matching(options: readonly Option[], typed: string, most = 8): Option[] {
  const want = typed.toLowerCase();
  const rank = (o: Option) => {
    const at = o.label.toLowerCase().indexOf(want);
    return at < 0 ? -1 : at === 0 ? 0 : 1;
  };
  const fits = options.map((option) => ({ option, rank: rank(option) })).filter((o) => o.rank >= 0);
  return fits.sort((a, b) => a.rank - b.rank).slice(0, most).map((o) => o.option);
}

/** completed is a text with the word replaced, and where the cursor is then. */
export function completed(text: string, word: Word, put: string): { text: string; cursor: number } {
  const after = text.slice(word.to);
  const filled = put + (after.startsWith(' ') ? '' : ' ');
  return { text: text.slice(0, word.from) + filled + after, cursor: word.from + put.length + 1 };
}

/** mention writes the name of a note or file after an @. */
export function mention(name: string): string {
  return /[\s"]/.test(name) ? `@"${name.replaceAll('"', '')}"` : `@${name}`;
}
