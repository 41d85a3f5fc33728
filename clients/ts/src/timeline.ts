import { Draft } from "./draft.ts";
import type {
  Artifact, Ask, CommandKind, Delta, Effect, End, Event, Failure, Image, Line, Mode, ReceiptState, Status, Todo, ToolResult,
} from "./types.ts";

// The timeline of a run: what people see of its log, in order. It says the same as package journal and rein's terminal.
//
// Items are only added at the end. An item changes while it is live; unchanged items keep their identity, so a page
// compares them by ===. What goes again is a live item that turns out to have nothing for people: a reply that is all
// calls. The text of a call that waits or is tried again moves to the end, below what was waited for.

/** A Timeline is what people see of a run, after the lines so far. */
export interface Timeline {
  readonly run: string;
  /** The sequence number of its last event; 0: it has not started. */
  readonly seq: number;
  readonly status: Status;
  readonly title: string;
  readonly flow: string;
  readonly mode: Mode;
  readonly session: string;
  readonly workspace: string;
  /** The run that this one follows, if its log says so. */
  readonly after: string;
  /** Who started it. */
  readonly by: string;
  readonly started: string;
  readonly ended?: string;
  /** It starts nothing until it is resumed. */
  readonly paused?: { by: string; why: string; at: string };
  /** The command that is ending it, if there is one. */
  readonly ending?: CommandKind;
  /** Some of its log was erased. */
  readonly erased: boolean;
  readonly items: readonly Item[];
  readonly todo?: Todo;
  /** What its own model calls took, without its children; see `usageOf`. */
  readonly usage: Usage;
  /** The turn of the flow's loop, and of how many. */
  readonly step: { n: number; of?: number };
  readonly doing?: Doing;
  /** Its open asks, the oldest first, without those of its children; see `openAsks`. */
  readonly asks: readonly Ask[];
  /** The runs below it, by ID, if the tree was followed. */
  readonly children: ReadonlyMap<string, Timeline>;
  /** The steps that are running. Only the fold needs it. */
  readonly open: ReadonlyMap<string, OpenStep>;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly micros: number;
}

/** Doing is what a run does now, in words. */
export interface Doing {
  readonly kind: "starting" | "model" | "tool" | "child" | "wait" | "ask" | "paused" | "parked" | "blocked" | "working";
  readonly text: string;
  readonly since: string;
  readonly until?: string;
  readonly tool?: string;
}

interface Base {
  /** Stays the same while the item changes. */
  readonly id: string;
  readonly run: string;
  readonly step?: string;
  readonly at: string;
}

/** What a person said. With `from`, another run said it: a parent to its child. */
export interface PersonItem extends Base {
  readonly kind: "person";
  readonly sub: "task" | "message" | "modify" | "comment";
  readonly text: string;
  readonly images: readonly Image[];
  readonly by: string;
  readonly from?: string;
  /** What became of a message or a modify. */
  readonly receipt?: { state: ReceiptState; step?: string; started?: string; reason?: string };
}

/** The plan of a flow that says in a line what it is going to do. */
export interface PlanItem extends Base {
  readonly kind: "plan";
  readonly text: string;
}

/** Text that a model wrote for people. While it is live the text may be empty: show nothing then. */
export interface ModelItem extends Base {
  readonly kind: "model";
  readonly phase: string;
  readonly round: number;
  readonly text: string;
  readonly live: boolean;
  /** It leads to no calls: it is an answer, or a part of one. */
  readonly final: boolean;
  readonly attempt: number;
  readonly model?: string;
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly duration?: number;
  /** Why it was cut off: length, refusal or filter, or the code of what ended it. */
  readonly stopped?: string;
  readonly failure?: Failure;
  /** The text of the end item is shown in its place: the draft was checked. */
  readonly replaced?: boolean;
}

/** What a model said to itself in a phase that people may follow. */
export interface PhaseItem extends Base {
  readonly kind: "phase";
  readonly phase: string;
  readonly round: number;
  /** The phase in words. */
  readonly human: string;
  readonly text: string;
  readonly live: boolean;
  readonly model?: string;
  readonly usage?: Usage;
  readonly duration?: number;
  readonly failure?: Failure;
}

export type ToolState = "running" | "waiting" | "ok" | "failed" | "refused" | "unknown" | "cancelled";

/** A call of a tool. */
export interface ToolItem extends Base {
  readonly kind: "tool";
  readonly name: string;
  readonly human: string;
  /** The arguments as the tool gets them, as far as is known; a string if they are not JSON. */
  readonly args: unknown;
  /** The argument that says most. */
  readonly argument: string;
  readonly state: ToolState;
  /** What it writes while it runs, the last 64 kB. It is not recorded: empty when the call is over. */
  readonly output: string;
  readonly result?: ToolResult;
  /** The whole text of a result that was clipped. */
  readonly whole?: string;
  /** What it led to, in a few words. */
  readonly summary: string;
  readonly duration?: number;
  readonly effect?: Effect;
  /** Why the call was made: ask, policy, rule, mode edits, mode sandbox or tool. */
  readonly allowed?: string;
  readonly mode?: Mode;
  /** The ask that it waits for, or waited for last. */
  readonly ask?: string;
  /** How the call was repaired: name, tolerant, coerced or model (guesses), or person. */
  readonly mended?: string;
  readonly files?: readonly Artifact[];
  readonly images?: readonly Image[];
  /** The MCP server that has the tool. */
  readonly server?: string;
  /** The kinds of secrets that were removed from the result. */
  readonly redacted?: readonly string[];
  readonly failure?: Failure;
}

/** Something that waits, or waited, for a person: its state says which. */
export interface AskItem extends Base {
  readonly kind: "ask";
  readonly ask: Ask;
}

/** A run that this one started. */
export interface ChildItem extends Base {
  readonly kind: "child";
  readonly child: string;
  /** Empty if the tree is not followed and the log of this run does not say it. */
  readonly question: string;
  readonly status: Status;
}

/** A model call waits: for its turn, or before it is tried again. */
export interface WaitItem extends Base {
  readonly kind: "wait";
  readonly text: string;
  readonly why: string;
  readonly until?: string;
  /** The model that is asked instead. */
  readonly model?: string;
  /** It still waits. */
  readonly live: boolean;
}

/** What rein itself says. The words are English; the fields are for other languages. */
export interface ReinItem extends Base {
  readonly kind: "rein";
  readonly sub: "notice" | "mode" | "paused" | "resumed" | "stopped" | "blocked" | "limit" | "compaction" | "attempt";
  readonly text: string;
  readonly by?: string;
  readonly why?: string;
  readonly mode?: Mode;
  /** For stopped: which command it was. */
  readonly command?: CommandKind;
  /** For compaction: how many messages are summarised. */
  readonly messages?: number;
}

/** How the run ended. */
export interface EndItem extends Base {
  readonly kind: "end";
  readonly end: End;
  /** The text of the outcome, if it is not on the timeline yet. */
  readonly text?: string;
  /** The model item whose draft the text replaces. */
  readonly replaces?: string;
  readonly data?: unknown;
  readonly failure?: Failure;
  readonly usage: Usage;
  readonly citations?: readonly Citation[];
  /** Sentences that their source hardly supports. */
  readonly doubtful?: readonly Claim[];
}

export interface Citation {
  readonly path: string;
  readonly section?: string;
  readonly ok?: boolean;
  readonly [field: string]: unknown;
}

export interface Claim {
  readonly text: string;
  readonly source: string;
  readonly missing?: readonly string[];
}

export type Item =
  | PersonItem | PlanItem | ModelItem | PhaseItem | ToolItem | AskItem | ChildItem | WaitItem | ReinItem | EndItem;

/** An OpenStep is a step that is running, as the fold needs it. */
export interface OpenStep {
  readonly key: string;
  readonly began: string;
  readonly started: boolean;
  readonly sub: boolean;
  readonly verb: string;
  readonly phase: string;
  readonly round: number;
  readonly human: string;
  readonly tool: string;
  readonly internal: boolean;
  readonly wrote?: unknown;
  readonly prompt: boolean;
  readonly streams: boolean;
  readonly prose: boolean;
  readonly model?: string;
  readonly attempt: number;
  readonly effect?: Effect;
  readonly child?: string;
  readonly folds?: number;
  readonly tree?: string;
  readonly prompted?: string;
  /** Where its item and the item of its wait are. */
  readonly item?: number;
  readonly wait?: number;
  readonly waiting?: { why: string; until?: string; model?: string };
  /** How many bytes of its text came, and what is held back of it. */
  readonly bytes: number;
  readonly held: string;
  readonly inLine: boolean;
}

/** timeline is the empty timeline of a run. */
export function timeline(run: string): Timeline {
  return {
    run, seq: 0, status: "ready", title: "", flow: "", mode: "ask", session: "", workspace: "", after: "", by: "", started: "",
    erased: false, items: [], usage: { input: 0, output: 0, micros: 0 }, step: { n: 0 }, asks: [], children: new Map(), open: new Map(),
  };
}

/** fold takes the next line of a feed. It does not change the timeline that it is given. */
export function fold(t: Timeline, line: Line): Timeline {
  return foldAll(t, [line]);
}

/** foldAll takes many lines at once, which costs less than one after the other. */
export function foldAll(t: Timeline, lines: Iterable<Line>): Timeline {
  let tree = new Tree(t);
  for (const line of lines) {
    if (line.resync) tree = new Tree(timeline(t.run));
    else if (line.event) tree.event(line.event);
    else if (line.delta) tree.delta(line.delta);
  }
  return tree.result();
}

/** A Tree is a timeline and those below it while lines are folded into them. */
class Tree {
  readonly #root: string;
  readonly #drafts = new Map<string, Draft>();

  constructor(root: Timeline) {
    this.#root = root.run;
    this.#drafts.set(root.run, new Draft(root));
  }

  event(e: Event): void {
    const draft = this.#draft(e.run);
    if (!draft?.event(e) || e.run === this.#root) return;
    if (e.kind === "run.started" || ends(e)) this.#draft(parentOf(e.run))?.child(draft.timeline);
  }

  delta(d: Delta): void {
    this.#draft(d.run)?.delta(d);
  }

  #draft(run: string): Draft | undefined {
    const known = this.#drafts.get(run);
    if (known) return known;
    if (!run.startsWith(this.#root + ".")) return undefined;
    const parent = this.#draft(parentOf(run))!;
    const draft = new Draft(parent.timeline.children.get(run) ?? timeline(run));
    this.#drafts.set(run, draft);
    return draft;
  }

  result(): Timeline {
    const deepest = [...this.#drafts].sort(([a], [b]) => b.split(".").length - a.split(".").length);
    for (const [run, draft] of deepest) {
      if (run !== this.#root && draft.changed) this.#draft(parentOf(run))!.put(draft.result());
    }
    return this.#drafts.get(this.#root)!.result();
  }
}

function parentOf(run: string): string {
  return run.slice(0, run.lastIndexOf("."));
}

/** ends reports whether the event is the last that a run has. */
export function ends(e: Event): boolean {
  return e.kind === "run.completed" || e.kind === "run.stopped" || e.kind === "run.failed";
}

/** openAsks returns the open asks of a run and everything below it, the oldest first. */
export function openAsks(t: Timeline): Ask[] {
  const all = [...t.asks];
  for (const child of t.children.values()) all.push(...openAsks(child));
  return all.sort((a, b) => (a.opened < b.opened ? -1 : a.opened > b.opened ? 1 : 0));
}

/** usageOf returns what a run and everything below it took. */
export function usageOf(t: Timeline): Usage {
  let { input, output, micros } = t.usage;
  for (const child of t.children.values()) {
    const below = usageOf(child);
    input += below.input;
    output += below.output;
    micros += below.micros;
  }
  return { input, output, micros };
}

