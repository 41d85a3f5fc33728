import type { Rein } from "./client.ts";
import { feed, type FeedOptions, type Message } from "./feed.ts";
import type { Delta, Event, Line } from "./types.ts";

export interface FollowOptions extends FeedOptions {
  /** A cursor: what came before it is not sent again. */
  after?: string;
  /** Everything below the run too. */
  tree?: boolean;
}

/**
 * follow yields the log of a run, from its beginning or from the cursor, and follows it as it grows, with the text that
 * models are writing in between. It ends when the run has ended, or when the signal aborts. A broken connection is
 * restored: every event comes once and in order, and no piece of text comes twice. If the server refuses, the error is
 * thrown. A line with `resync` says that the log is not the one that was followed before: forget what you read, all of it
 * comes again.
 */
export async function* follow(rein: Rein, id: string, o: FollowOptions = {}): AsyncGenerator<Line, void, void> {
  const seen = new Seen(o.after ?? "");
  const path = `/v1/runs/${encodeURIComponent(id)}/events`;
  yield* feed<Line>(rein, o, (put) => ({
    path: () => path + queryOf({ after: seen.cursor, tree: o.tree ? "1" : "" }),
    check: async (signal) => {
      const page = await rein.events(id, { after: seen.cursor, tree: o.tree ?? false, limit: 1 }, { signal });
      return page.lines.length > 0;
    },
    take: (m) => {
      if (m.event === "end") return "over";
      const line = lineOf(m);
      const fresh = line && seen.fresh(line);
      if (fresh) put(fresh);
      return "more";
    },
  }));
}

function queryOf(values: Record<string, string>): string {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString();
  return text && `?${text}`;
}

function lineOf(m: Message): Line | undefined {
  return ["event", "delta", "resync"].includes(m.event) ? (m.data as Line) : undefined;
}

/** Seen is what a reader has been given, over any number of connections. */
export class Seen {
  cursor: string;
  /** How much of the text of each open step the reader has. */
  readonly #texts = new Map<string, { attempt: number; bytes: number }>();

  constructor(cursor: string) {
    this.cursor = cursor;
  }

  /** Returns what is new of a line, or undefined if nothing is. */
  fresh(line: Line): Line | undefined {
    if (line.resync) {
      this.cursor = "";
      this.#texts.clear();
    } else if (line.delta) {
      const delta = this.#piece(line.delta);
      return delta && { ...line, delta };
    } else if (line.event) {
      this.cursor = line.cursor ?? this.cursor;
      this.#forget(line.event);
    }
    return line;
  }

  #piece(d: Delta): Delta | undefined {
    const key = `${d.run}:${d.step}`;
    const has = this.#texts.get(key) ?? { attempt: 0, bytes: 0 };
    if (d.attempt < has.attempt) return undefined;
    const before = d.attempt > has.attempt ? 0 : has.bytes;
    const fresh = withoutBytes(d, before);
    if (fresh) this.#texts.set(key, { attempt: d.attempt, bytes: d.offset + bytesOf(d.text) });
    return fresh;
  }

  /** Lets go of the texts that an event ends. */
  #forget(e: Event): void {
    if (e.kind === "step.done" || e.kind === "sub.done") this.#texts.delete(`${e.run}:${e.step}`);
    if (e.kind !== "run.completed" && e.kind !== "run.stopped" && e.kind !== "run.failed") return;
    for (const key of this.#texts.keys()) if (key.startsWith(`${e.run}:`)) this.#texts.delete(key);
  }
}

/** withoutBytes cuts off the beginning of a piece that a reader has; undefined: that is all of it. */
export function withoutBytes(d: Delta, has: number): Delta | undefined {
  if (d.offset >= has) return d.text === "" ? undefined : d;
  const bytes = encoder.encode(d.text);
  if (d.offset + bytes.length <= has) return undefined;
  return { ...d, offset: has, text: decoder.decode(bytes.subarray(has - d.offset)) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** bytesOf is how many bytes a text has as UTF-8, which offsets count. */
export function bytesOf(text: string): number {
  let n = text.length;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) continue;
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < text.length) i++, (n += 2); // two units are four bytes
    else n += c < 0x800 ? 1 : 2;
  }
  return n;
}
