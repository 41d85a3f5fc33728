// What a file is, by its bytes: what a sender says of it may be wrong.

export type Look = 'text' | 'markdown' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf' | 'other';

const magic: [Look, string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['application/pdf', '%PDF-'],
];

/** looksLike finds out how the beginning of a file can be shown. */
export function looksLike(name: string, head: Uint8Array): Look {
  const begin = String.fromCharCode(...head.subarray(0, 16));
  for (const [kind, bytes] of magic) if (begin.startsWith(bytes)) return kind;
  if (begin.startsWith('RIFF') && begin.slice(8, 12) === 'WEBP') return 'image/webp';
  if (!isText(head)) return 'other';
  return /\.(md|markdown)$/i.test(name) ? 'markdown' : 'text';
}

function isText(head: Uint8Array): boolean {
  if (head.some((b) => b < 32 && b !== 9 && b !== 10 && b !== 13)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }); // the last character may be cut
    return true;
  } catch {
    return false;
  }
}
