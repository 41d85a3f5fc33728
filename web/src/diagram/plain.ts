// A text says what is in a diagram, and the page how it looks: settings in the text are left out.

const directive = /%%\{[\s\S]*?\}%%/g;
const frontMatter = /^\s*---[^\S\n]*\n([\s\S]*?)\n[^\S\n]*---[^\S\n]*(?:\n|$)/;
const titled = /^title:[^\S\n]*(\S.*?)[^\S\n]*$/m;

/** plain returns a text without what it would set. The title in its front matter stays. */
export function plain(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(directive, '').replaceAll('%%{', '%% {');
  const front = frontMatter.exec(lines);
  if (!front) return lines;
  const title = titled.exec(front[1]!)?.[1]!.replace(/^(['"])(.*)\1$/, '$2');
  const rest = lines.slice(front[0].length).replace(/^(\s*---)/, '\n%% $1'); // a second front matter is none
  return title ? `---\ntitle: ${JSON.stringify(title)}\n---\n${rest}` : rest;
}
