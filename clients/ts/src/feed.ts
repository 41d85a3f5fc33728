import { pause, ReinError, type Rein } from "./client.ts";
import type { Problem } from "./types.ts";

// A feed is a connection on which the server sends messages until something has ended. This file opens one, as
// text/event-stream or WebSocket, and opens it again when it breaks.

/** The state of a feed, as people should see it. */
export type FeedState =
  | "live"
  | "reconnecting" // it broke a moment ago
  | "offline" // it has been broken for a while
  | "ended"; // nothing more comes

export interface FeedOptions {
  signal?: AbortSignal;
  /** Learns of each new state, with the error that led to it. The first comes when it is connected, or cannot be. */
  onState?: (state: FeedState, why?: unknown) => void;
  /** How to connect; by default a WebSocket in browsers, and a stream elsewhere. */
  transport?: "socket" | "stream";
  /** How often to try in a row before the error is thrown; by default without end. */
  tries?: number;
}

/** A Message is one thing that came: the name of the event, and its data. */
export interface Message {
  event: string;
  data: unknown;
}

export interface Source {
  path: () => string; // with its query, which may have a cursor that moves
  take: (message: Message) => "more" | "over";
  /**
   * Asks for the same without a feed: throws what the server has against it, which a socket does not say, and returns
   * whether the server has more than came.
   */
  check: (signal: AbortSignal) => Promise<boolean>;
}

/** How long a stream may be without even a heartbeat before it counts as dead. */
const silence = 60_000;

/** How long a socket may be silent before the server is asked whether it is there: scripts do not see its pings. */
const quiet = 30_000;

/** How late a timer is after the machine slept. */
const asleep = 10_000;

/** How long a socket has to bring what the server has. */
const late = 3_000;

const firstPause = 100;
const maxPause = 5_000;

/** How many tries in a row fail before people are shown that they are offline. */
const offlineAfter = 3;

/** feed yields what a source puts, until it is over or the signal aborts. */
export async function* feed<T>(rein: Rein, o: FeedOptions, of: (put: (one: T) => void) => Source): AsyncGenerator<T, void, void> {
  const left = new AbortController();
  const signal = o.signal ? AbortSignal.any([o.signal, left.signal]) : left.signal;
  const waiting: T[] = [];
  let wake = () => {};
  let ended: { error?: unknown } | undefined;
  const source = of((one) => {
    waiting.push(one);
    wake();
  });
  void run(rein, source, { ...o, signal })
    .then(() => (ended = {}), (error: unknown) => (ended = { error }))
    .then(() => wake());
  try {
    for (;;) {
      while (waiting.length > 0 && !signal.aborted) yield* waiting.splice(0);
      if (ended || signal.aborted) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if (ended?.error !== undefined) throw ended.error;
  } finally {
    left.abort();
  }
}

/** Follows a source until it is over. It ends when the signal aborts, without an error. */
async function run(rein: Rein, source: Source, o: FeedOptions): Promise<void> {
  const signal = o.signal ?? new AbortController().signal;
  let state: FeedState | undefined;
  const tell = (next: FeedState, why?: unknown) => {
    if (state !== next) o.onState?.((state = next), why);
  };
  let socket = (o.transport ?? (inBrowser() ? "socket" : "stream")) === "socket" && typeof WebSocket !== "undefined";
  for (let failed = 0; !signal.aborted; ) {
    const tried = { opened: false };
    const opened = () => {
      tried.opened = true;
      failed = 0;
      tell("live");
    };
    let why: unknown;
    try {
      const over = await (socket ? bySocket : byStream)(rein, source, signal, opened);
      if (over) {
        tell("ended");
        return;
      }
    } catch (e) {
      why = e;
    }
    if (signal.aborted) break;
    if (why instanceof ReinError && !why.passing && why.status !== 0) {
      tell("ended", why);
      throw why;
    }
    failed++;
    if (o.tries !== undefined && failed > o.tries) {
      tell("ended", why);
      throw why ?? new ReinError({ code: "unavailable", detail: "the feed broke off" });
    }
    tell(failed > offlineAfter || offline() ? "offline" : "reconnecting", why);
    if (socket && !tried.opened) {
      const held = await refused(source, signal);
      if (held instanceof ReinError) {
        tell("ended", held);
        throw held;
      }
      if (held === "answers" && failed >= 2) socket = false; // something between does not let sockets through
    }
    await breathe(failed, signal);
  }
}

/** refused asks without a feed: the error that the server has, or whether it answers. */
async function refused(source: Source, signal: AbortSignal): Promise<ReinError | "answers" | "gone"> {
  try {
    await source.check(signal);
    return "answers";
  } catch (e) {
    return e instanceof ReinError && e.status !== 0 && !e.passing ? e : "gone";
  }
}

/** breathe waits before the next try: longer each time, and no longer when the machine is online again. */
async function breathe(failed: number, signal: AbortSignal): Promise<void> {
  const most = Math.min(firstPause * 2 ** (failed - 1), maxPause);
  const woken = new AbortController();
  const wake = () => woken.abort();
  const target = globalThis as unknown as Partial<EventTarget>;
  target.addEventListener?.("online", wake);
  try {
    await pause(most * (0.5 + Math.random() / 2), AbortSignal.any([signal, woken.signal]));
  } catch {
    // it was woken, or is over
  } finally {
    target.removeEventListener?.("online", wake);
  }
}

function inBrowser(): boolean {
  return "document" in globalThis;
}

function offline(): boolean {
  return (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine === false && inBrowser();
}

/** received gives a message to the source; errors are thrown. */
function received(source: Source, m: Message): "more" | "over" {
  if (m.event === "error") throw new ReinError(m.data as Problem);
  return source.take(m);
}

async function byStream(rein: Rein, source: Source, signal: AbortSignal, opened: () => void): Promise<boolean> {
  const watch = new AbortController();
  const dead = () => watch.abort(new ReinError({ code: "timeout", detail: "the server was silent for too long" }));
  let timer = setTimeout(dead, silence);
  try {
    const answer = await rein.send(source.path(), {
      headers: { Accept: "text/event-stream" }, signal: AbortSignal.any([signal, watch.signal]), cache: "no-store",
    });
    opened();
    for await (const m of messages(answer.body!)) {
      clearTimeout(timer);
      timer = setTimeout(dead, silence);
      if (m.event && received(source, { event: m.event, data: JSON.parse(m.data || "{}") as unknown }) === "over") return true;
    }
    return false;
  } finally {
    clearTimeout(timer);
    watch.abort();
  }
}

/** A Text is a message of a stream before its data is read. */
export interface Text {
  event: string;
  data: string;
  id: string;
}

/** messages reads a text/event-stream. A message that is cut off in the middle does not count; a comment is one without an event. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Text> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let m: Text = { event: "", data: "", id: "" };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const pieces = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = pieces.pop()!;
      for (const piece of pieces) {
        const line = piece.endsWith("\r") ? piece.slice(0, -1) : piece;
        if (line === "") {
          yield m;
          m = { event: "", data: "", id: "" };
          continue;
        }
        const colon = line.indexOf(":");
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
        if (name === "event") m.event = value;
        if (name === "id") m.id = value;
        if (name === "data") m.data += (m.data && "\n") + value;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A frame is a message of a socket. */
interface Frame {
  type: string;
  line?: unknown;
  problem?: unknown;
}

function bySocket(rein: Rein, source: Source, signal: AbortSignal, opened: () => void): Promise<boolean> {
  const address = rein.base.replace(/^http/, "ws") + source.path();
  const socket = rein.token ? new WebSocket(address, ["rein", `bearer.${rein.token}`]) : new WebSocket(address);
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null;
      socket.close();
      end();
    };
    const stop = () => leave(() => resolve(false));
    const ask = () => {
      clearTimeout(timer);
      const due = Date.now() + quiet;
      timer = setTimeout(() => {
        if (Date.now() > due + asleep) return stop(); // the machine slept: nobody knows what became of the connection
        source.check(signal).then(
          (more) => (more ? (timer = setTimeout(stop, late)) : ask()), // what is under way comes before that
          (e: unknown) => leave(() => reject(e)),
        );
      }, quiet);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    ask();
    socket.onopen = () => opened();
    socket.onmessage = (e) => {
      ask();
      try {
        const frame = JSON.parse(String(e.data)) as Frame;
        const over = received(source, { event: frame.type, data: frame.line ?? frame.problem ?? frame });
        if (over === "over") leave(() => resolve(true));
      } catch (e) {
        leave(() => reject(e));
      }
    };
    socket.onclose = socket.onerror = stop; // of one that cannot be opened, some tell the one, some the other
  });
}
