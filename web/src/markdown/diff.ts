// Unified diffs, as rein shows them before a file changes and before a change is undone.

export type Row = { sign: '+' | '-' | ' ' | '\\'; text: string; old?: number; new?: number };
export type Hunk = { head: string; rows: Row[] };
export type FileDiff = { kind: 'file'; from: string; to: string; added: number; removed: number; hunks: Hunk[]; note: string };
/** Prose is what stands between diffs. */
export type Prose = { kind: 'prose'; text: string };

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

/** parse parts a text into diffs and what stands between them. Nothing is left out. */
export function parse(text: string): (FileDiff | Prose)[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const all: (FileDiff | Prose)[] = [];
  let prose: string[] = [];
  const flush = () => {
    const said = prose.join('\n').replace(/^\n+|\s+$/g, '');
    if (said) all.push({ kind: 'prose', text: said });
    prose = [];
  };
  for (let i = 0; i < lines.length; ) {
    const isFile = lines[i]!.startsWith('--- ') && (lines[i + 1]?.startsWith('+++ ') || lines[i + 1] === '(it was not text)');
    if (!isFile) {
      prose.push(lines[i++]!);
      continue;
    }
    flush();
    const file: FileDiff = { kind: 'file', from: lines[i]!.slice(4), to: '', added: 0, removed: 0, hunks: [], note: '' };
    if (lines[i + 1]!.startsWith('+++ ')) file.to = lines[i + 1]!.slice(4);
    else file.note = lines[i + 1]!;
    i = readHunks(lines, i + 2, file);
    all.push(file);
  }
  flush();
  return all;
}

/** readHunks reads as many lines as the head of each hunk announces: what a line looks like proves nothing. */
function readHunks(lines: string[], i: number, file: FileDiff): number {
  for (;;) {
    const head = header.exec(lines[i] ?? '');
    if (!head) return i;
    const hunk: Hunk = { head: head[0], rows: [] };
    let [old, now] = [Number(head[1]), Number(head[3])];
    let [oldLeft, nowLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
    for (i++; i < lines.length && (oldLeft > 0 || nowLeft > 0 || lines[i]!.startsWith('\\')); i++) {
      const sign = lines[i]![0] ?? ' ';
      const text = lines[i]!.slice(1);
      if (sign === '+') hunk.rows.push({ sign, text, new: now++ }), nowLeft--, file.added++;
      else if (sign === '-') hunk.rows.push({ sign, text, old: old++ }), oldLeft--, file.removed++;
      else if (sign === '\\') hunk.rows.push({ sign, text: text.trim() });
      else if (sign === ' ') hunk.rows.push({ sign, text, old: old++, new: now++ }), oldLeft--, nowLeft--;
      else break;
    }
    file.hunks.push(hunk);
  }
}

/** A Fold is a long run of lines that did not change. */
export type Fold = { fold: Row[] };
const longest = 12; // unchanged lines in a row that are shown
const beside = 3; // of them, next to each change

/** folded replaces the middle of long unchanged parts. */
export function folded(rows: Row[]): (Row | Fold)[] {
  const all: (Row | Fold)[] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && rows[end]!.sign === ' ') end++;
    const run = rows.slice(i, end);
    if (run.length > longest) {
      const head = i === 0 ? 0 : beside;
      const tail = end === rows.length ? 0 : beside;
      all.push(...run.slice(0, head), { fold: run.slice(head, run.length - tail) }, ...run.slice(run.length - tail));
    } else all.push(...run);
    if (end < rows.length) all.push(rows[end]!);
    i = end + 1;
  }
  return all;
}

/** changed returns where a removed line and the added one in its place differ: [from, to) of each. */
export function changed(before: string, after: string): { old: [number, number]; new: [number, number] } | undefined {
  if (before.length > 2000 || after.length > 2000) return;
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const whole = Math.max(before.length, after.length);
  if (whole === 0 || (head + tail) / whole < 0.3) return; // little is the same: the lines say enough
  return { old: [head, before.length - tail], new: [head, after.length - tail] };
}

/** pairs finds for each row of a change the one that it replaces, if as many were removed as added. */
export function pairs(rows: Row[]): Map<Row, [number, number]> {
  const marks = new Map<Row, [number, number]>();
  for (let i = 0; i < rows.length; ) {
    let removed = i;
    while (rows[removed]?.sign === '-') removed++;
    let added = removed;
    while (rows[added]?.sign === '+') added++;
    const n = removed - i;
    if (n > 0 && added - removed === n && n <= 50) {
      for (let k = 0; k < n; k++) {
        const found = changed(rows[i + k]!.text, rows[removed + k]!.text);
        if (found) marks.set(rows[i + k]!, found.old), marks.set(rows[removed + k]!, found.new);
      }
    }
    i = Math.max(added, i + 1);
  }
  return marks;
}
