// Whether a PDF may be shown inside the page. The browser's viewer keeps a PDF apart, and still lets its scripts ask and
// tell, in a box over the page that looks as if it were the page's. So a PDF with anything that acts opens elsewhere.

const acts = /\/(?:JS|JavaScript|XFA|Launch|SubmitForm|ImportData|RichMedia|Movie|Sound|Rendition|Encrypt)(?![A-Za-z])/;
const streams = /\bstream\r?\n/g;
const mostStreams = 5000;
const mostText = 200_000_000;

/** isStill reports whether a PDF has nothing that acts. What cannot be read may act. */
export async function isStill(content: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = latin(bytes);
  let at = 0; // of what is no content of a stream: bytes of a picture can look like a word
  let left = mostText;
  let n = 0;
  for (const { index, 0: mark } of text.matchAll(streams)) {
    if (index < at) continue;
    if (++n > mostStreams || acts.test(plain(text.slice(at, index)))) return false;
    const from = index + mark.length;
    const end = text.indexOf('endstream', from);
    if (end < 0) break;
    if (plain(text.slice(at, index)).lastIndexOf('/ObjStm') > 0) {
      const inside = await inflated(bytes.subarray(from, end), left);
      if (inside === undefined || acts.test(plain(inside))) return false;
      left -= inside.length;
    }
    at = end;
  }
  return !acts.test(plain(text.slice(at)));
}

/** plain writes names as they are meant: #4A is J. */
const plain = (text: string) => text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const latin = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

/** inflated undoes a compression, or returns nothing if it is none. What follows it does not count. */
async function inflated(bytes: Uint8Array, most: number): Promise<string | undefined> {
  const all: string[] = [];
  let size = 0;
  try {
    const out = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (;;) {
      const { done, value } = await out.read();
      if (done) break;
      all.push(latin(value));
      if ((size += value.length) > most) return;
    }
  } catch {
    if (!size) return; // else only line ends behind it were wrong
  }
  return all.join('');
}
