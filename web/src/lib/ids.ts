// IDs that the page chooses, so that what is sent twice happens once.

const letters = '0123456789abcdefghjkmnpqrstvwxyz'; // in the order in which texts sort

/** newID makes an ID as the server makes them: later ones sort after earlier ones, the rest is chance. */
export function newID(prefix: 'r' | 's', now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  for (let i = 5, ms = now; i >= 0; i--, ms = Math.floor(ms / 256)) bytes[i] = ms % 256;
  let text = '';
  for (let bit = 0; bit < 120; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += letters[(pair >> (11 - (bit & 7))) & 31];
  }
  return prefix + text;
}
