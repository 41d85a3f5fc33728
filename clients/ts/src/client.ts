import { Operations, type Call, type CallOptions } from "./operations.ts";
import type { Code, Me, Problem } from "./types.ts";

export interface ReinOptions {
  /** Where the server is, such as http://127.0.0.1:7717; empty: where the page comes from. */
  base?: string;
  /** A token. Without one, the cookie of a browser that has logged in speaks for the page. */
  token?: string;
  fetch?: typeof fetch;
}

/** A ReinError is what went wrong with a request. Act on the code; show people the detail and the hint. */
export class ReinError extends Error {
  /** The status of the answer; 0: none came. */
  readonly status: number;
  readonly code: Code;
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
  /** For the codes budget and quota: what ran out. */
  readonly dim: string | undefined;

  constructor(problem: Partial<Problem>, cause?: unknown) {
    const detail = problem.detail || problem.title || "the server did not say what is wrong";
    super(detail, { cause });
    this.name = "ReinError";
    this.status = problem.status ?? 0;
    this.code = problem.code ?? codeOf(this.status);
    this.title = problem.title ?? "";
    this.detail = detail;
    this.hint = problem.hint ?? "";
    this.dim = problem.dim;
  }

  /** Whether the same request may succeed later without a change. */
  get passing(): boolean {
    return this.code === "unavailable" || this.code === "timeout";
  }
}

/** codeOf is the code of an answer that has none. */
function codeOf(status: number): Code {
  const known: Record<number, Code> = {
    0: "unavailable", 401: "unauthenticated", 403: "forbidden", 404: "not_found", 409: "conflict", 423: "locked",
    429: "rate_limited", 502: "unavailable", 503: "unavailable", 504: "timeout", 507: "disk_full",
  };
  return known[status] ?? (status >= 400 && status < 500 ? "invalid" : "internal");
}

/** How long an answer may take that is not a stream. */
const patience = 120_000;

/** The pauses before a request with an Idempotency-Key is sent again because no answer came. */
const pauses = [250, 1000];

/** Rein calls the API of a server. Each operation is a method; `follow` and `live` follow what happens. */
export class Rein extends Operations {
  readonly base: string;
  readonly token: string | undefined;
  readonly #fetch: typeof fetch;
  #csrf: Promise<string> | undefined;

  constructor(options: ReinOptions = {}) {
    super();
    const page = (globalThis as { location?: { origin?: string } }).location?.origin;
    const base = (options.base || page || "").replace(/\/+$/, "");
    if (!base) throw new TypeError("Rein needs the address of the server: new Rein({ base: \"http://127.0.0.1:7717\" })");
    this.base = base;
    this.token = options.token || undefined;
    const send = options.fetch ?? globalThis.fetch;
    this.#fetch = (input, init) => send(input, init); // a browser's fetch must not be a method of something else
  }

  /** Sends the request of an operation and reads its answer. */
  override async call<T>(call: Call, options: CallOptions = {}): Promise<T> {
    const headers: Record<string, string> = {};
    if (call.once && !named(call.body)) headers["Idempotency-Key"] = options.key || newKey();
    if (call.body !== undefined && !call.raw) headers["Content-Type"] = "application/json";
    const body = call.raw ? (call.body as BodyInit) : call.body === undefined ? undefined : JSON.stringify(call.body);
    const init: RequestInit = { method: call.method, headers, signal: within(options.signal) };
    if (body !== undefined) init.body = body;
    const answer = await this.#sure(call, call.path + queryOf(call.query), init);
    try {
      switch (call.reads) {
        case "json":
          return (await answer.json()) as T;
        case "text":
          return (await answer.text()) as T;
        case "blob":
          return (await answer.blob()) as T;
      }
      await answer.body?.cancel();
      return undefined as T;
    } catch (e) {
      throw failure(e, options.signal);
    }
  }

  /** Sends a request, and once more if no answer came and doing it twice is impossible. */
  async #sure(call: Call, path: string, init: RequestInit): Promise<Response> {
    for (let n = 0; ; n++) {
      try {
        return await this.send(path, init);
      } catch (e) {
        const again = call.once && e instanceof ReinError && e.status === 0 && e.code === "unavailable";
        if (!again || n >= pauses.length) throw e;
        await pause(pauses[n]!, init.signal ?? undefined);
      }
    }
  }

  /** Sends any request to the server, as the one that this client speaks for. An answer that is an error is thrown. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    const changes = !["GET", "HEAD", undefined].includes(init.method);
    if (changes && !this.token) {
      const csrf = await this.#proof();
      if (csrf) headers.set("X-CSRF-Token", csrf);
    }
    let answer: Response;
    try {
      answer = await this.#fetch(this.base + path, { credentials: "same-origin", ...init, headers });
    } catch (e) {
      throw failure(e, init.signal ?? undefined);
    }
    if (answer.ok) return answer;
    const error = await problemOf(answer);
    if (error.status === 401 || error.status === 403) this.#csrf = undefined; // of another login, perhaps
    throw error;
  }

  /** Ends the login of the browser. */
  async logout(): Promise<void> {
    const answer = await this.send("/logout", { method: "POST" });
    await answer.body?.cancel();
    this.#csrf = undefined;
  }

  /** What a browser proves that a page of this server sends a request with; empty: it is not in a browser. */
  #proof(): Promise<string> {
    this.#csrf ??= this.send("/v1/me")
      .then(async (answer) => ((await answer.json()) as Me).csrf ?? "")
      .catch((e: unknown) => {
        this.#csrf = undefined;
        if (e instanceof ReinError && e.status === 401) return ""; // the request itself will say so
        throw e;
      });
    return this.#csrf;
  }
}

/** newKey makes a key. A page that came over plain HTTP has no crypto.randomUUID. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** named reports whether a body is safe to send again by itself: it has an ID or a key, and the server wants only one. */
function named(body: unknown): boolean {
  const { id, key } = (body ?? {}) as { id?: string; key?: string };
  return Boolean(id || key);
}

function queryOf(query: object | undefined): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === "") continue;
    if (value === false) continue; // a flag that is not set
    values.set(name, value === true ? "1" : String(value));
  }
  const text = values.toString();
  return text && `?${text}`;
}

function within(signal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(patience);
  return signal ? AbortSignal.any([signal, late]) : late;
}

/** failure is the error of a request that got no answer. An abort of the caller stays what it is. */
function failure(e: unknown, signal: AbortSignal | undefined): unknown {
  if (e instanceof ReinError) return e;
  if (signal?.aborted && !isTimeout(signal.reason)) return signal.reason;
  if (isTimeout(e) || isTimeout(signal?.reason)) return new ReinError({ code: "timeout", detail: "no answer came in time" }, e);
  return new ReinError({ code: "unavailable", detail: "the server cannot be reached" }, e);
}

function isTimeout(e: unknown): boolean {
  return e instanceof DOMException && e.name === "TimeoutError";
}

async function problemOf(answer: Response): Promise<ReinError> {
  const text = await answer.text().catch(() => "");
  if (answer.headers.get("Content-Type")?.startsWith("application/problem+json")) {
    try {
      return new ReinError({ ...(JSON.parse(text) as Problem), status: answer.status });
    } catch {
      // it is not what it says
    }
  }
  return new ReinError({ status: answer.status, detail: `the server answered ${answer.status} and did not say why` });
}

/** pause waits, or throws when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
