// What a call led to, in a few words of the page's language.
import type { Timeline, ToolItem, TodoItem } from 'rein-client';
import { duration } from '../lib/format';
import type { Words } from '../words/index.svelte';

type ChatWords = Words['chat'];

/** The longest result that is shown as it is. */
const brief = 40;

/** endedBy names the person who ended a run; empty: it ended by itself, or goes on. */
export function endedBy(t: Timeline): string {
  if (!['stopped', 'cancelled', 'deleted'].includes(t.status)) return '';
  const ended = t.items.findLast((it) => it.kind === 'rein' && it.sub === 'stopped');
  return ended?.kind === 'rein' ? (ended.by ?? '') : '';
}

/** summaryOf says in about three words what became of a call. */
export function summaryOf(item: ToolItem, words: ChatWords): string {
  const { result, failure, state } = item;
  if (state === 'running' || state === 'waiting') return words.toolStates[state];
  if (!result) return failure ? clip(failure.msg) : state === 'unknown' ? words.notKnown : words.noResult;
  if (result.from_person) return words.answered;
  switch (result.status) {
    case 'unknown':
      return words.notKnown;
    case 'refused':
      return words.refusedWhy;
    case 'timeout':
      return words.timeout;
    case 'skipped':
      return words.skipped;
    case 'failed':
      return clip(result.text ?? '') || words.toolStates.failed;
  }
  return ofData(item, words) ?? ofText(result.text ?? '', words);
}

function ofData(item: ToolItem, words: ChatWords): string | undefined {
  const data = (item.result?.data ?? {}) as { exit?: unknown; handle?: unknown; ended?: unknown; items?: TodoItem[] };
  if (item.name === 'todo' && Array.isArray(data.items)) {
    return words.doneOf(data.items.filter((i) => i.state === 'done').length, data.items.length);
  }
  if (item.name === 'commit_staged_changes' || item.name === 'undo_commit') return item.summary;
  if (item.name !== 'execute_command') return undefined;
  if (data.handle) return words.background;
  if (data.ended) return words.endedBy(String(data.ended));
  return words.exit(typeof data.exit === 'number' ? data.exit : 0);
}

function ofText(text: string, words: ChatWords): string {
  const all = text.trim();
  if (!all) return words.toolStates.ok;
  if (all.length <= brief && !all.includes('\n')) return all;
  return words.lines(String(linesOf(all)));
}

/** clip is the beginning of a text, on one line. */
export function clip(text: string, most = 60): string {
  const line = text.trim().split('\n', 1)[0]!.slice(0, most + 1);
  return line.length > most ? `${line.slice(0, most).trimEnd()}…` : line;
}

/** linesOf counts lines. A last one that is empty does not count. */
export function linesOf(text: string): number {
  let n = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) n++;
  return n;
}

/** firstLines is the beginning of a text, and whether it is all of it. A line that never ends is cut too. */
export function firstLines(text: string, most: number): { text: string; whole: boolean } {
  const longest = most * 400;
  let end = 0;
  for (let n = 0; n < most; n++) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.length > longest ? { text: text.slice(0, longest), whole: false } : { text, whole: true };
    end = next + 1;
  }
  if (end >= text.length) return { text, whole: true };
  return { text: text.slice(0, Math.min(end - 1, longest)), whole: false };
}

/** left is how long it is until a moment. */
export function left(until: string | undefined, now: number): string {
  if (!until) return '';
  const ms = new Date(until).getTime() - now;
  return ms > 0 ? duration(Math.ceil(ms / 1000) * 1000) : '';
}
