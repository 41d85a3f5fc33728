import { pause, Rein, ReinError } from "./client.ts";

// Agents: the five functions of a program that starts agents, watches them, answers what they ask and changes their
// course. They speak the contract of /agent (docs/dialects.md) with the flow `explore`. What getAgentTree and getAgent
// return is a copy of what this client has seen of the agents that it follows.

export type AgentStatus = "running" | "completed" | "deleted" | "modified" | "error" | "awaiting_user";

export interface AgentState {
  agentId: string;
  /** null for the root of a tree */
  parentId: string | null;
  userContent: string;
  /** "unchanged", "delete", "modify", or what somebody wrote there */
  userComment: string;
  status: AgentStatus;
  subagents: string[];
  /** null until the agent has ended */
  result: string | null;
  metadata: Record<string, unknown>;
  createdAt: string;
  /** the phase that it is in */
  step?: string;
  /** everything that was said in it; getAgent only */
  messages?: CoreMessage[];
}

export interface CoreMessage {
  role: "user" | "assistant" | "system" | "tool";
  content: string | { type: string; text?: string; [field: string]: unknown }[];
}

export interface AgentInput {
  /** what the agent is to do; it needs a prompt, messages or both */
  prompt?: string;
  messages?: CoreMessage[];
  /** must be new; empty: one is made */
  agentId?: string;
  /** the agent under which this one starts; it must be active */
  parentId?: string | null;
  /** an object of your own, which is shown with the agent */
  metadata?: Record<string, unknown>;
  /** the preset that says how the agent works */
  preset?: string;
}

/** A Chunk is a piece of what an agent does. The fields depend on the type; docs/dialects.md lists them. */
export type Chunk = Text | State | Query | Other;

interface Piece {
  agentId: string;
  eventId?: string;
}
interface Text extends Piece {
  type: "text-delta";
  id: string;
  textDelta: string;
  delta: string;
}
interface State extends Piece {
  type: "agent-state";
  state: AgentState;
}
interface Query extends Piece {
  type: "user-query";
  queryId: string;
  kind: string;
  prompt: string;
  choices?: string[];
}
interface Other extends Piece {
  type:
    | "start" | "finish" | "error" | "tool-call" | "tool-result" | "reasoning-start" | "reasoning-delta" | "reasoning-end" | "text-start"
    | "text-end" | "agent-text-start" | "agent-text-delta" | "agent-text-end";
  [field: string]: unknown;
}

export interface Overrides {
  userComment?: string;
  userContent?: string;
  status?: AgentStatus;
}

/** A QueryUserHandler answers what an agent asks: with a text, or with null to decline. */
export type QueryUserHandler = (agentId: string, prompt: string) => string | null | Promise<string | null>;

let server: Rein | undefined;
let ask: QueryUserHandler | undefined;
const states = new Map<string, AgentState>();
const active: ReadonlySet<AgentStatus> = new Set<AgentStatus>(["running", "modified", "awaiting_user"]);

/**
 * Says which server the agents run on. Without it, that is where the page comes from, or in Node.js what $REIN_URL and
 * $REIN_TOKEN say.
 */
export function useServer(rein: Rein): void {
  server = rein;
  states.clear();
}

function rein(): Rein {
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  server ??= new Rein({ base: env["REIN_URL"] ?? "", token: env["REIN_TOKEN"] ?? "" });
  return server;
}

/** Says who answers what agents ask. Without a handler a question waits for any other client. */
export function setQueryUserHandler(handler: QueryUserHandler | undefined): void {
  ask = handler;
}

/** The agents that are active, by ID, without their messages. */
export function getAgentTree(): Record<string, AgentState> {
  return Object.fromEntries([...states].filter(([, state]) => active.has(state.status)).map(([id, state]) => [id, bare(state)]));
}

/** One agent with its messages, ended or not; undefined: this client does not know it. */
export function getAgent(agentId: string): AgentState | undefined {
  const state = states.get(agentId);
  return state && structuredClone(state);
}

function bare({ messages: _, ...state }: AgentState): AgentState {
  return structuredClone(state);
}

/** Changes an agent: only the fields that are given. Returns whether it exists; other refusals are thrown. */
export async function userIntervention(agentId: string, overrides: Overrides): Promise<boolean> {
  try {
    const answer = await rein().send(`/agent/${encodeURIComponent(agentId)}/intervene`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(overrides),
    });
    return ((await answer.json()) as { success: boolean }).success;
  } catch (e) {
    if (e instanceof ReinError && e.status === 404) return false;
    throw e;
  }
}

/**
 * agent starts an agent, yields what it and the agents below it do, and returns its result. A broken connection is
 * restored, and nothing comes twice. Who stops reading does not stop the agent.
 */
export async function* agent(input: AgentInput, options: { signal?: AbortSignal } = {}): AsyncGenerator<Chunk, string, void> {
  const stream = new Stream(rein(), { ...input, agentId: input.agentId || newID() }, options.signal);
  try {
    return yield* stream.chunks();
  } finally {
    stream.close();
  }
}

function newID(): string {
  return "agent-" + Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** How long a connection may be silent. A new one costs little: it continues where the old one was. */
const silence = 60_000;

/** The pauses before it connects again grow up to this. */
const maxPause = 5_000;

/** A Message is what the server sends. */
type Message = Chunk & { error?: string; code?: string; state?: AgentState; result?: string | null };

/** A Stream follows one agent over WebSockets, one after the other. */
class Stream {
  readonly #rein: Rein;
  readonly #input: AgentInput & { agentId: string };
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #place = ""; // where a new connection continues
  #tried = false; // the server may have got the input
  #failed = 0; // connections in a row that brought nothing
  #socket: WebSocket | undefined;

  constructor(rein: Rein, input: AgentInput & { agentId: string }, signal: AbortSignal | undefined) {
    this.#rein = rein;
    this.#input = input;
    this.#signal = signal ? AbortSignal.any([signal, this.#left.signal]) : this.#left.signal;
  }

  close(): void {
    this.#left.abort();
    this.#socket?.close();
  }

  async *chunks(): AsyncGenerator<Chunk, string, void> {
    for (;;) {
      for await (const m of this.#connect()) {
        if (m.type === ("agent-completed" as string)) return m.result ?? "";
        if (m.type === "error" && !m.agentId && !this.#place) {
          if (this.#isMissing(m)) break;
          throw new ReinError({ status: 400, code: (m.code as ReinError["code"]) ?? "invalid", detail: m.error ?? "the agent was refused" });
        }
        this.#see(m);
        yield m;
      }
      this.#signal.throwIfAborted();
      await pause(Math.min(100 * 2 ** this.#failed++, maxPause), this.#signal);
    }
  }

  /** Whether the server says that it never got the input: then it gets it again. */
  #isMissing(m: Message): boolean {
    if (m.code !== "not_found" || !this.#tried) return false;
    this.#tried = false;
    return true;
  }

  #see(m: Message): void {
    this.#failed = 0;
    if (m.eventId) this.#place = m.eventId;
    if (m.type === "agent-state") {
      const messages = states.get(m.agentId)?.messages;
      states.set(m.agentId, { ...m.state, ...(messages ? { messages } : {}) });
    }
    if (["agent-state", "tool-result", "text-end", "agent-text-end"].includes(m.type)) this.#readMessages(m.agentId);
    if (m.type === "user-query") void this.#answer(m as Query);
  }

  /** What was said is read again after each change, one read at a time. */
  #readMessages(id: string): void {
    if (reading.has(id)) return void reading.set(id, true);
    reading.set(id, false);
    this.#rein
      .send(`/agent/${encodeURIComponent(id)}`)
      .then(async (answer) => {
        const { messages } = (await answer.json()) as AgentState;
        const state = states.get(id);
        if (state && messages) states.set(id, { ...state, messages });
      })
      .catch(() => undefined) // the next change reads it again
      .finally(() => {
        const again = reading.get(id);
        reading.delete(id);
        if (again && !this.#signal.aborted) this.#readMessages(id);
      });
  }

  /** A handler that fails declines, as one that returns null. */
  async #answer(query: Query): Promise<void> {
    const socket = this.#socket;
    if (!ask) return;
    let response: string | null = null;
    try {
      response = await ask(query.agentId, query.prompt);
    } catch (e) {
      console.error(`the handler for questions of ${query.agentId} failed; the question is declined`, e);
    }
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "user-response", agentId: query.agentId, queryId: query.queryId, response }));
  }

  /** What this connection is to bring: an agent that is new, or one that was begun. */
  #request(): object {
    if (this.#place) return { lastEventId: this.#place };
    if (this.#tried) return { lastEventId: `${this.#input.agentId}:` };
    this.#tried = true;
    return this.#input;
  }

  async *#connect(): AsyncGenerator<Message, void, void> {
    const address = this.#rein.base.replace(/^http/, "ws") + "/agent/stream";
    const token = this.#rein.token;
    const socket = token ? new WebSocket(address, ["rein", `bearer.${token}`]) : new WebSocket(address);
    this.#socket = socket;
    const came: Message[] = [];
    let over = false;
    let wake = () => {};
    const end = () => {
      over = true;
      wake();
    };
    let timer = setTimeout(end, silence);
    socket.onopen = () => socket.send(JSON.stringify({ type: "start-agent", ...this.#request() }));
    socket.onclose = socket.onerror = end;
    socket.onmessage = (e) => {
      clearTimeout(timer);
      timer = setTimeout(end, silence);
      came.push(JSON.parse(String(e.data)) as Message);
      wake();
    };
    this.#signal.addEventListener("abort", end, { once: true });
    try {
      while (!this.#signal.aborted) {
        yield* came.splice(0);
        if (over) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (came.length > 0 || over) resolve();
        });
      }
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", end);
      socket.onopen = socket.onclose = socket.onerror = socket.onmessage = null;
      socket.close();
      await this.#refused(came);
    }
  }

  /** A socket that cannot be opened does not say why: an answer of the API does. */
  async #refused(came: readonly Message[]): Promise<void> {
    if (came.length > 0 || this.#place || this.#tried || this.#signal.aborted) return;
    try {
      await this.#rein.me();
    } catch (e) {
      if (e instanceof ReinError && !e.passing) throw e;
    }
  }
}

/** The agents whose messages are being read, and whether they have to be read again. */
const reading = new Map<string, boolean>();
