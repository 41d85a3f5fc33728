// Which addresses in a text of a model may become links.

const schemes = new Set(['http:', 'https:', 'mailto:', 'obsidian:']);

/** A Target is where a link leads: its address as the browser reads it, and the host that people should see. */
export type Target = { href: string; host: string };

/** target reads an address. Anything but a whole one with a scheme that only shows something is not a link. */
export function target(address: string): Target | undefined {
  if (address.length > 8000 || /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(address)) return;
  let url: URL;
  try {
    url = new URL(address); // without a base: a relative address is none
  } catch {
    return;
  }
  if (!schemes.has(url.protocol)) return;
  // user@host in front of a host makes one site look like another.
  if (url.username || url.password) return;
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\//i.test(address)) return;
  return { href: url.href, host: url.host };
}

/** pretends reports whether the words of a link look like an address on another host than where it leads. */
export function pretends(words: string, to: Target): boolean {
  const found = /(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,})(?:[/:?#]|$|\s)/iu.exec(words.trim());
  if (!found || !to.host) return false;
  const plain = (host: string) => host.toLowerCase().replace(/^www\./, '').replace(/:\d+$/, '');
  return plain(found[1]!) !== plain(to.host);
}
