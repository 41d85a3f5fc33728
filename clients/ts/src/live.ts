import { ReinError, type Rein } from "./client.ts";
import { feed, type FeedOptions } from "./feed.ts";

/** A Hint says that something of the user has changed, and not what: read it again. */
export interface Hint {
  /** The feed has begun, or begun again: anything may have changed. */
  hello?: boolean;
  /** The root runs that changed, or have a run below them that did. */
  runs?: string[];
  /** An ask was opened or closed. */
  asks?: boolean;
  /** The sessions that changed. */
  sessions?: string[];
}

export interface LiveOptions extends Omit<FeedOptions, "onState"> {
  onState?: (state: "live" | "reconnecting" | "offline", why?: unknown) => void;
}

/**
 * live yields a hint whenever something of the user changes: their runs, asks and sessions. Each connection begins with
 * `hello`. It ends when the signal aborts, or when the server does not know the sender any more.
 */
export async function* live(rein: Rein, o: LiveOptions = {}): AsyncGenerator<Hint, void, void> {
  const onState: FeedOptions["onState"] = (state, why) => {
    if (state !== "ended") o.onState?.(state, why);
  };
  try {
    yield* feed<Hint>(rein, { ...o, onState }, (put) => ({
      path: () => "/v1/live",
      check: () => rein.me().then(() => false),
      take: (m) => {
        if (m.event === "hello") put({ hello: true });
        if (m.event === "hint") put(hintOf(m.data));
        return "more";
      },
    }));
  } catch (e) {
    if (!(e instanceof ReinError && e.status === 401)) throw e;
  }
}

function hintOf(data: unknown): Hint {
  const { runs, asks, sessions } = ((data as { hint?: Hint }).hint ?? data) as Hint;
  return { ...(runs ? { runs } : {}), ...(asks ? { asks } : {}), ...(sessions ? { sessions } : {}) };
}
