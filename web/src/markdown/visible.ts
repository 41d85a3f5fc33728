// What readers cannot see is spelled out, by the same rule as in the Go package internal/visible: control characters,
// characters that change the direction of a line, fillers, tags, variation selectors, zero-width characters.

/** A Part is a piece of a text; `spelled` marks one that stands for a character that cannot be seen. */
export type Part = { text: string; spelled: boolean };

const suspect = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]/u;
const suspectInLines = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]/u;
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]/u;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;
const symbol = /\p{So}/u;
const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** line returns a text for one line: line ends and tabs are spelled out too. */
export const line = (text: string): string => (suspect.test(text) ? join(spelled(text, false)) : text);

/** lines returns a text that may have more than one line. */
export const lines = (text: string): string => join(parts(text));

/** parts returns a text that may have more than one line in pieces, so that what is spelled can look different. */
export function parts(text: string): Part[] {
  const unix = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
  return suspectInLines.test(unix) ? spelled(unix, true) : [{ text: unix, spelled: false }];
}

/** short returns the beginning of a text on one line. */
export function short(text: string, most: number): string {
  const enough = 8192; // characters to look at; what is clipped need not be read
  if (text.length > enough) text = `${text.slice(0, enough)}…`;
  const all = [...line(text.split(/[\s\u0085]+/u).filter(Boolean).join(' '))];
  return all.length > most ? `${all.slice(0, most).join('').replace(/ +$/, '')}…` : all.join('');
}

const join = (all: Part[]) => all.map((p) => p.text).join('');

function spelled(text: string, isLines: boolean): Part[] {
  const all: Part[] = [];
  const add = (piece: string, isSpelled: boolean) => {
    const last = all.at(-1);
    if (last && last.spelled === isSpelled) last.text += piece;
    else all.push({ text: piece, spelled: isSpelled });
  };
  let before = '';
  for (let i = 0; i < text.length; ) {
    const c = String.fromCodePoint(text.codePointAt(i)!);
    const next = text.codePointAt(i + c.length);
    const plain = isLines && (c === '\n' || c === '\t');
    if (plain || shows(before, c, next === undefined ? '' : String.fromCodePoint(next))) add(c, false);
    else add(spell(c), true);
    before = c;
    i += c.length;
  }
  return all;
}

function spell(c: string): string {
  if (c === '\n') return '\\n';
  if (c === '\t') return '\\t';
  const code = c.codePointAt(0)!;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** shows reports whether a character between two others ('': none) can be seen and only shows. */
export function shows(before: string, c: string, next: string): boolean {
  if (c === '\u200c' || c === '\u200d') return joins(before, next);
  if (c === '\ufe0e' || c === '\ufe0f') return isPicture(before) || next === '\u20e3'; // a picture, or a key with a sign on it
  if (c === '\u2800' || ignorable.test(c)) return false;
  return printable.test(c);
}

/** joins reports whether a joiner changes how its neighbours look: in emoji, and in scripts that join letters. */
function joins(before: string, next: string): boolean {
  if ((isPicture(before) || before === '\ufe0f') && isPicture(next)) return true;
  return joined.test(before) && joined.test(next);
}

function isPicture(c: string): boolean {
  const code = c.codePointAt(0) ?? 0;
  return symbol.test(c) || (code >= 0x1f3fb && code <= 0x1f3ff);
}
