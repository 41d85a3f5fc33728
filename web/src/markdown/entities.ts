// Entities are written out here, because texts become text nodes and never pass through an HTML parser.

const named: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…',
  mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•', middot: '·',
  times: '×', divide: '÷', plusmn: '±', minus: '−', deg: '°', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', para: '¶',
  larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', le: '≤', ge: '≥', ne: '≠', infin: '∞', micro: 'µ', frac12: '½',
};

/** decode writes out the entities of a text. Those that it does not know stay as they are. */
export function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,8}));/g, (whole, dec, hex, name) => {
    if (name) return named[name] ?? whole;
    const code = dec ? parseInt(dec, 10) : parseInt(hex, 16);
    const bad = code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
    return bad ? '\ufffd' : String.fromCodePoint(code);
  });
}
