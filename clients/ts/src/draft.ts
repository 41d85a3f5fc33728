import { bytesOf, withoutBytes } from "./follow.ts";
import * as gates from "./prose.ts";
import type {
  AskItem, ChildItem, Doing, EndItem, Item, ModelItem, OpenStep, PersonItem, PhaseItem, ReinItem, Timeline, ToolItem, ToolState, Usage, WaitItem,
} from "./timeline.ts";
import type {
  Answer, Ask, AskState, Command, CommandKind, Delta, End, Event, Intent, Mode, ModelUsage, Payloads, StepEnd, StepStart, Task, Waiting,
} from "./types.ts";
import { after, argsOf, argument, by, count, exitOf, failed, short, summary, todoOf, withoutAdded } from "./words.ts";

type Own<T> = { -readonly [K in keyof T]: T[K] };

/** The phases whose texts are not the answer, but that people want to follow. */
const thoughts = ["reason", "observe", "plan", "reflect"];

/** What an end by a person leaves as the error of a step. */
const interruptions = ["stopped", "cancelled", "deleted", "interrupted"];

/** The most that is kept of what a tool writes while it runs. */
const maxOutput = 64 << 10;

/** The setting of a flow that limits its turns. */
const turns: Record<string, string> = {
  operate: "rounds", explore: "rounds", strict: "max_steps", research: "reflections", code: "reflections", task: "turns",
};

/** A Draft is a timeline while lines are folded into it: what was not changed is shared with the one before. */
export class Draft {
  readonly #t: Own<Timeline>;
  #changed = false;
  #moved = false; // what it is doing may have changed
  #items: Item[] | undefined;
  readonly #own = new Set<Item>();
  #open: Map<string, OpenStep> | undefined;
  #children: Map<string, Timeline> | undefined;

  constructor(t: Timeline) {
    this.#t = { ...t };
  }

  get timeline(): Timeline {
    return this.#t;
  }

  get changed(): boolean {
    return this.#changed;
  }

  result(): Timeline {
    if (this.#moved) this.#set({ doing: this.#doing() });
    this.#moved = false;
    return this.#t;
  }

  /** put replaces the timeline of a child. */
  put(child: Timeline): void {
    this.#children ??= new Map(this.#t.children);
    this.#children.set(child.run, child);
    this.#set({ children: this.#children });
  }

  /** child takes note of what is known of a child now. */
  child(child: Timeline): void {
    const i = lastIndex(this.#t.items, (it) => it.kind === "child" && it.child === child.run);
    if (i >= 0) this.#edit<ChildItem>(i, { question: questionOf(child), status: child.status });
    this.put(child);
  }

  /** delta takes a piece of text. One of a step that is not open is late: the log has the whole. */
  delta(d: Delta): void {
    const step = this.#t.open.get(d.step);
    if (!step || step.item === undefined || d.attempt < step.attempt) return;
    const again = d.attempt > step.attempt;
    const piece = withoutBytes(d, again ? 0 : step.bytes);
    if (!piece) return;
    const item = this.#t.items[step.item]!;
    const bytes = d.offset + bytesOf(d.text);
    if (item.kind === "tool" && d.output) {
      const output = ((again ? "" : item.output) + piece.text).slice(-maxOutput);
      this.#edit<ToolItem>(step.item, { output });
      this.#step({ ...step, attempt: d.attempt, bytes });
    } else if (item.kind === "model" && !d.output) {
      let text = piece.text;
      let gate = { held: again ? "" : step.held, begun: true, shut: false, inLine: again ? false : step.inLine };
      if (this.#checksDrafts()) [gate, text] = gates.write(gate, text);
      this.#edit<ModelItem>(step.item, { text: (again ? "" : item.text) + text, attempt: d.attempt });
      this.#step({ ...step, attempt: d.attempt, bytes, held: gate.held, inLine: gate.inLine });
    }
  }

  /** event takes the next event of the log; false: it is known. */
  event(e: Event): boolean {
    if (e.seq <= this.#t.seq) return false;
    this.#moved = true;
    this.#set({ seq: e.seq, ...(e.erased ? { erased: true } : {}) });
    if (!e.kind.startsWith("command.") && e.kind !== "run.parked" && e.kind !== "run.started") this.#driven();
    switch (e.kind) {
      case "run.started":
        this.#started(e);
        break;
      case "run.parked": {
        const { for: what = [], until } = read(e, "run.parked");
        this.#set({ status: "waiting" });
        const retries = what.length < 2 && [...this.#t.open.values()].some((s) => s.waiting !== undefined); // the call says why
        this.#parked = retries ? undefined : { text: after("waiting for ", what.join(", ")) || "waiting", since: e.at, ...(until ? { until } : {}) };
        break;
      }
      case "run.blocked": {
        const why = read(e, "run.blocked").reason ?? "";
        this.#set({ status: "blocked" });
        this.#rein(e, { sub: "blocked", text: `blocked${after(": ", short(why, 300))}`, why });
        break;
      }
      case "run.resumed":
        this.#set({ status: "ready" });
        this.#rein(e, { sub: "resumed", text: `tried again${by(e.by)}`, by: e.by ?? "" });
        break;
      case "run.completed":
      case "run.stopped":
      case "run.failed":
        this.#ended(e);
        break;
      case "step.started":
      case "sub.started":
        this.#begun(e, read(e, e.kind));
        break;
      case "step.attempt":
        this.#tried(e);
        break;
      case "step.waiting":
        this.#waits(e, read(e, "step.waiting"));
        break;
      case "step.intent":
        this.#intent(e, read(e, "step.intent"));
        break;
      case "step.done":
      case "sub.done":
        this.#done(e, read(e, e.kind));
        break;
      case "ask.opened":
        this.#asked(e);
        break;
      default:
        if (e.kind.startsWith("command.")) this.#command(e, e.kind.slice("command.".length) as CommandKind, commandOf(e));
    }
    return true;
  }

  // What follows changes the draft.

  get #parked(): { text: string; since: string; until?: string } | undefined {
    return this.#t.doing?.kind === "parked" ? this.#t.doing : undefined;
  }

  set #parked(p: { text: string; since: string; until?: string } | undefined) {
    this.#set({ doing: p && { kind: "parked", ...p } });
  }

  #set(change: Partial<Timeline>): void {
    this.#changed = true;
    Object.assign(this.#t, change);
    for (const [name, value] of Object.entries(change)) if (value === undefined) delete (this.#t as Record<string, unknown>)[name];
  }

  #items_(): Item[] {
    if (!this.#items) {
      this.#items = [...this.#t.items];
      this.#set({ items: this.#items });
    }
    return this.#items;
  }

  /** add puts an item at the end and returns where it is. */
  #add(item: Item): number {
    const own = { ...item };
    this.#own.add(own);
    return this.#items_().push(own) - 1;
  }

  /** edit changes an item. */
  #edit<T extends Item>(at: number, change: Partial<Own<T>>): void {
    const items = this.#items_();
    let item = items[at]!;
    if (!this.#own.has(item)) {
      item = { ...item };
      this.#own.add(item);
      items[at] = item;
    }
    this.#changed = true;
    Object.assign(item, change);
  }

  /** drop removes an item that turned out to have nothing for people. */
  #drop(at: number): void {
    this.#items_().splice(at, 1);
    for (const step of this.#t.open.values()) {
      const item = step.item !== undefined && step.item > at ? step.item - 1 : step.item;
      const wait = step.wait !== undefined && step.wait > at ? step.wait - 1 : step.wait;
      if (item !== step.item || wait !== step.wait) this.#step(defined({ ...step, item, wait }));
    }
  }

  #steps(): Map<string, OpenStep> {
    if (!this.#open) {
      this.#open = new Map(this.#t.open);
      this.#set({ open: this.#open });
    }
    return this.#open;
  }

  #step(step: OpenStep): void {
    this.#steps().set(step.key, step);
  }

  #rein(e: Event, of: Omit<Own<ReinItem>, "id" | "run" | "at" | "kind">, n = 0): void {
    this.#add({ id: idOf(e, n), run: e.run, at: e.at, ...(e.step ? { step: e.step } : {}), kind: "rein", ...of });
  }

  /** driven takes note that a process drives the run. */
  #driven(): void {
    if (this.#t.status === "ready" || this.#t.status === "waiting") this.#set({ status: "running" });
  }

  /** checksDrafts reports whether the text of the run's answers is checked before it counts, and may end with an object. */
  #checksDrafts(): boolean {
    return this.#t.flow === "answer";
  }

  #use(u: ModelUsage | undefined): void {
    if (!u) return;
    const { input, output, micros } = this.#t.usage;
    this.#set({ usage: { input: input + (u.input ?? 0), output: output + (u.output ?? 0), micros: micros + (u.micros ?? 0) } });
  }

  #started(e: Event): void {
    const start = read(e, "run.started");
    const task: Partial<Task> = start.task ?? {};
    const mode: Mode = task.mode || "ask";
    this.#set({
      started: e.at, by: e.by ?? "", flow: task.flow ?? "", title: titleOf(task), mode, session: task.session ?? "",
      workspace: task.workspace ?? "", after: afterOf(start), status: "ready", step: stepsOf(task),
    });
    const parent = e.run.includes(".") ? e.run.slice(0, e.run.lastIndexOf(".")) : undefined;
    (task.messages ?? []).forEach((m, n) => {
      const base = { id: idOf(e, n), run: e.run, at: e.at, text: m.text ?? "" };
      if (m.role === "user") {
        this.#add({ ...base, kind: "person", sub: "task", images: m.images ?? [], by: e.by ?? "", ...(parent ? { from: parent } : {}) });
      } else if (m.role === "assistant" && m.text) {
        this.#add({ ...base, kind: "model", phase: "", round: 0, live: false, final: true, attempt: 0 });
      }
    });
    (task.notices ?? []).forEach((text, n) => this.#rein(e, { sub: "notice", text: short(text, 300) }, 1000 + n));
    if (mode !== "ask" && !parent) this.#rein(e, { sub: "mode", text: `mode ${mode}`, mode }, 2000);
  }

  /** stepOf returns the open step of an event; a new one, if it is not known yet. */
  #stepOf(e: Event): OpenStep {
    const sub = e.kind.startsWith("sub.");
    const key = sub ? e.step! : stepOf(e.step ?? "");
    return this.#t.open.get(key) ?? {
      key, began: e.at, started: false, sub, verb: sub ? "model" : "", phase: "", round: 0, human: "", tool: "", internal: false,
      prompt: false, streams: false, prose: false, attempt: 0, bytes: 0, held: "", inLine: false,
    };
  }

  #begun(e: Event, start: StepStart): void {
    const { prompt, call } = start;
    let step: OpenStep = {
      ...this.#stepOf(e), started: true, verb: start.verb ?? verbOf(start.sig), phase: start.phase ?? "", round: start.round ?? 0,
      human: start.human ?? "", tool: start.tool ?? call?.name ?? "", internal: call?.internal ?? false, prompt: prompt !== undefined,
      streams: Boolean(prompt?.stream || prompt?.prose), prose: Boolean(prompt?.prose && !prompt.stream),
      ...(start.child ? { child: start.child } : {}), ...(call ? { wrote: argsOf(call) } : {}),
      ...(start.tree?.prompt ? { prompted: start.tree.prompt } : {}),
    };
    step = { ...step, attempt: Math.max(step.attempt, hasBound(start) ? 1 : 0), ...(step.model ?? prompt?.model ? { model: step.model ?? prompt!.model! } : {}) };
    step = this.#waited(step);
    if (step.round > 0 && !step.sub) this.#set({ step: { ...this.#t.step, n: step.round } });
    if (step.sub) step = this.#subBegun(e, start, step);
    else if (prompt) step = this.#prompted(e, step, Boolean(prompt.closing));
    else if (call && !step.internal) step = { ...step, item: this.#add(this.#toolItem(e, step, start)) };
    this.#step(step);
  }

  #prompted(e: Event, step: OpenStep, closing: boolean): OpenStep {
    const base = { id: `${e.run}/${step.key}`, run: e.run, step: step.key, at: e.at, phase: step.phase, round: step.round, text: "", live: true };
    if (closing) this.#rein(e, { sub: "limit", text: "a limit is reached: one last answer follows" });
    if (this.#t.flow === "answer" && step.phase === "decide" && step.round === 1 && step.human && !this.#t.items.some((it) => it.kind === "plan")) {
      this.#add({ id: `${base.id}/plan`, run: e.run, step: step.key, at: e.at, kind: "plan", text: step.human });
    }
    const named = step.model ? { model: step.model } : {};
    if (step.streams) return { ...step, item: this.#add({ ...base, kind: "model", final: false, attempt: step.attempt, ...named }) };
    if (thoughts.includes(step.phase)) return { ...step, item: this.#add({ ...base, kind: "phase", human: step.human, ...named }) };
    return step;
  }

  #toolItem(e: Event, step: OpenStep, start: StepStart): ToolItem {
    const args = start.mended && start.args !== undefined ? withoutAdded(start.args, step.wrote) : step.wrote;
    const dot = step.tool.indexOf(".");
    return {
      id: `${e.run}/${step.key}`, run: e.run, step: step.key, at: e.at, kind: "tool", name: step.tool, human: step.human, args,
      argument: argument(step.tool, args), state: "running", output: "", summary: "", ...(start.mended ? { mended: start.mended } : {}),
      ...(dot > 0 ? { server: step.tool.slice(0, dot) } : {}),
    };
  }

  /** subBegun shows a call inside a step: a summary, a repair of arguments, what a tool asks of the model or of its tree. */
  #subBegun(e: Event, start: StepStart, step: OpenStep): OpenStep {
    if (start.folds) {
      const messages = start.folds.to - start.folds.from;
      this.#rein(e, { sub: "compaction", text: `summarising ${count(messages, "older message")}`, messages });
      return { ...step, folds: messages };
    }
    if (!start.tree) {
      this.#rein(e, { sub: "notice", text: step.phase === "consult" ? "asking the model something for the tool" : "asking the model to repair the arguments" });
      return step;
    }
    const tree = treeCall(start);
    if (step.verb !== "spawn") this.#rein(e, { sub: "notice", text: tree });
    return { ...step, tree };
  }

  #tried(e: Event): void {
    const a = read(e, "step.attempt");
    const before = this.#stepOf(e);
    const n = Math.max(a.n ?? 1, 1);
    if (n > 1 && (a.why || before.wait === undefined)) {
      this.#rein(e, { sub: "attempt", text: `trying again${after(": ", short(a.why ?? "", 160))}`, why: a.why ?? "" });
    }
    let step = this.#waited({ ...before, attempt: n, bytes: 0, held: "", inLine: false, tool: a.tool || before.tool });
    this.#step(step);
    if (n > 1 || before.wait !== undefined) step = this.#lower(step);
    const item = step.item === undefined ? undefined : this.#t.items[step.item];
    if (item?.kind === "model") this.#edit<ModelItem>(step.item!, { text: "", attempt: n });
    if (item?.kind === "tool") {
      const change: Partial<Own<ToolItem>> = { output: "", state: "running", name: step.tool };
      if (a.args !== undefined && a.args !== null) change.args = withoutAdded(a.args, step.wrote);
      if (a.mended) change.mended = a.mended;
      this.#edit<ToolItem>(step.item!, { ...change, argument: argument(step.tool, change.args ?? item.args) });
    }
  }

  /** lower puts the text of a step at the end again, below what came before the try that fills it. */
  #lower(step: OpenStep): OpenStep {
    const item = step.item === undefined ? undefined : this.#items_()[step.item]!;
    if (item?.kind !== "model" && item?.kind !== "phase") return step;
    this.#drop(step.item!);
    const lower = { ...this.#t.open.get(step.key)!, item: this.#items_().push(item) - 1 };
    this.#step(lower);
    return lower;
  }

  #waits(e: Event, w: Waiting): void {
    this.#use(w.usage);
    const step = this.#waited({ ...this.#stepOf(e), verb: "model" });
    const why = short(w.why ?? "", 1000);
    const wait = this.#add({
      id: idOf(e), run: e.run, step: step.key, at: e.at, kind: "wait", why, live: true,
      text: (w.model ? `asking ${w.model} instead` : "waiting") + after(": ", why),
      ...(w.until ? { until: w.until } : {}), ...(w.model ? { model: w.model } : {}),
    });
    this.#step({ ...step, wait, waiting: { why, ...(w.until ? { until: w.until } : {}) }, ...(w.model ? { model: w.model } : {}) });
  }

  /** waited ends the wait of a step, if it waits. */
  #waited(step: OpenStep): OpenStep {
    if (step.wait === undefined) return step;
    this.#edit<WaitItem>(step.wait, { live: false });
    const { wait: _, waiting: __, ...rest } = step;
    return rest;
  }

  #intent(e: Event, p: Intent): void {
    const step: OpenStep = { ...this.#stepOf(e), effect: p.effect };
    this.#step(p.tool ? { ...step, tool: p.tool } : step);
    if (step.item === undefined) return;
    this.#edit<ToolItem>(step.item, defined({
      state: "running" as const, effect: p.effect, allowed: p.allowed, mode: p.allowed ? (p.mode ?? "ask") : p.mode, ...(p.tool ? { name: p.tool } : {}),
    }));
  }

  #done(e: Event, end: StepEnd): void {
    const key = e.kind === "sub.done" ? e.step! : stepOf(e.step ?? "");
    const known = this.#t.open.get(key);
    if (!known && !end.sig && !end.verb) return; // who took the log over ended it once more: the first counts
    let step = known ?? { ...this.#stepOf(e), verb: end.verb ?? verbOf(end.sig ?? ""), tool: end.tool ?? "" };
    step = this.#waited(step);
    this.#use(end.usage);
    for (const item of end.items ?? []) this.#received(item.command, step.key);
    if (step.sub) this.#subDone(e, step, end);
    else if (step.prompt) this.#replied(e, step, end);
    else if (step.verb === "tool" && !step.internal) this.#called(e, step, end);
    if (step.verb === "spawn" && end.child) this.#spawned(e, step, end.child);
    if (step.verb === "wait" && end.outcome) this.#childEnded(step.child ?? waitedFor(end), end.outcome.end);
    this.#steps().delete(key);
  }

  /** replied completes what a model said. */
  #replied(e: Event, step: OpenStep, end: StepEnd): void {
    const failure = end.failure && !interruptions.includes(end.failure.code) ? end.failure : undefined;
    if (step.item === undefined) {
      if (failure) this.#rein(e, { sub: "notice", text: `the model failed: ${failed(failure)}`, why: failure.msg });
      return;
    }
    const common = defined({
      live: false, model: end.model || step.model, usage: end.usage && usageOf(end.usage), duration: ms(end), failure,
    });
    if (this.#t.items[step.item]!.kind === "phase") {
      const text = end.message ? thoughtOf(end.message.text ?? "") : "";
      this.#edit<PhaseItem>(step.item, { ...common, text });
      return;
    }
    const text = this.#shown(step, end);
    if (text.trim() === "" && !failure) return this.#drop(step.item);
    this.#edit<ModelItem>(step.item, {
      ...common, text, attempt: step.attempt, final: Boolean(end.message) && !end.message!.calls?.length,
      ...defined({ stopped: end.message?.stop || (failure ? undefined : end.failure?.code) }),
    });
  }

  /** shown is what people see of a whole reply, or of one that was cut off. */
  #shown(step: OpenStep, end: StepEnd): string {
    if (!end.message) return this.#checksDrafts() ? gates.withoutTail(end.partial ?? "") : (end.partial ?? "");
    const text = end.message.text ?? "";
    if (step.prose) return end.message.calls?.length ? "" : (gates.prose(text) ?? "");
    return this.#checksDrafts() ? gates.withoutTail(text) : text;
  }

  /** called completes the call of a tool. One that ended as soon as it began has no item yet. */
  #called(e: Event, step: OpenStep, end: StepEnd): void {
    let at = step.item;
    if (at === undefined) {
      const id = `${e.run}/${step.key}`;
      if (this.#t.items.some((it) => it.id === id)) return;
      const args = end.call && argsOf(end.call);
      at = this.#add({
        id, run: e.run, step: step.key, at: e.at, kind: "tool", name: step.tool, human: step.human, args,
        argument: args === undefined ? "" : argument(step.tool, args), state: "running", output: "", summary: "",
      });
    }
    const item = this.#t.items[at] as ToolItem;
    const { result } = end;
    this.#edit<ToolItem>(at, defined({
      state: stateOf(item.name, end), output: "", summary: summary(item.name, end), result, whole: end.whole, duration: ms(end),
      mended: result?.mended || item.mended, files: result?.files, images: result?.images, redacted: end.redacted, failure: end.failure,
    }));
    const todo = item.name === "todo" && result?.status === "ok" ? todoOf(result.data) : undefined;
    if (todo) this.#set({ todo });
  }

  #spawned(e: Event, step: OpenStep, child: string): void {
    const known = this.#t.children.get(child) ?? this.#children?.get(child);
    this.#add({
      id: `${e.run}/${step.key}/child`, run: e.run, step: step.key, at: e.at, kind: "child", child,
      question: (known && questionOf(known)) || step.prompted || "", status: known?.status ?? "running",
    });
  }

  #childEnded(child: string | undefined, end: End | undefined): void {
    const i = lastIndex(this.#t.items, (it) => it.kind === "child" && it.child === child);
    if (i >= 0 && end) this.#edit<ChildItem>(i, { status: end });
  }

  #subDone(e: Event, step: OpenStep, end: StepEnd): void {
    if (!end.failure) return;
    const why = failed(end.failure);
    if (step.tree) return this.#rein(e, { sub: "notice", text: `${step.tree}: ${why}`, why });
    const what = step.phase === "consult" ? "the model did not answer the tool: " : "the arguments could not be repaired: ";
    const text = step.folds === undefined ? what : "warning: the summary failed, so the run continues with the whole history: ";
    this.#rein(e, { sub: step.folds === undefined ? "notice" : "compaction", text: text + why, why });
  }

  #asked(e: Event): void {
    const p = read(e, "ask.opened");
    if (e.erased) return;
    let ask: Ask = {
      ...p, id: p.id || `${e.run}:${e.step}`, run: e.run, step: p.step || stepOf(e.step ?? ""), state: p.state || "pending", opened: p.opened || e.at,
    };
    if (ask.state === "pending" && this.#t.ending) ask = closed(ask, { state: "withdrawn" }, ask.opened);
    const open = ask.state === "pending";
    this.#add({ id: ask.id, run: e.run, step: ask.step, at: e.at, kind: "ask", ask });
    if (open) this.#set({ asks: [...this.#t.asks, ask] });
    const step = this.#stepOf(e);
    this.#step(step);
    if (step.item !== undefined && this.#t.items[step.item]!.kind === "tool") {
      this.#edit<ToolItem>(step.item, { ask: ask.id, ...(open ? { state: "waiting" as const } : {}) });
    }
  }

  /** close closes the open asks that are selected. */
  #close(answer: Answer, at: string, selects: (ask: Ask) => boolean): void {
    const going = this.#t.asks.filter(selects);
    if (going.length === 0) return;
    this.#set({ asks: this.#t.asks.filter((ask) => !selects(ask)) });
    for (const ask of going) {
      const i = lastIndex(this.#t.items, (it) => it.kind === "ask" && it.ask.id === ask.id);
      this.#edit<AskItem>(i, { ask: closed(ask, answer, at) });
      const step = this.#t.open.get(stepOf(ask.step));
      const item = step?.item === undefined ? undefined : this.#t.items[step.item];
      if (item?.kind === "tool" && item.state === "waiting" && !this.#t.asks.some((a) => a.step === ask.step)) {
        this.#edit<ToolItem>(step!.item!, { state: "running" });
      }
    }
  }

  #command(e: Event, kind: CommandKind, c: Command): void {
    const reason = short(c.text ?? "", 160);
    const own = !c.cause; // that it reached the runs below goes without saying
    switch (kind) {
      case "message":
      case "modify":
      case "comment":
        if (kind === "modify") this.#close({ state: "withdrawn", by: e.by ?? "" }, e.at, () => true);
        if (c.from) this.#rein(e, { sub: "notice", text: `message from run ${c.from}${after(": ", reason)}`, why: c.text ?? "" });
        else if (own) this.#said(e, kind, c);
        return;
      case "pause":
        this.#set({ paused: { by: e.by ?? "", why: c.text ?? "", at: e.at } });
        if (own) this.#rein(e, { sub: "paused", text: `paused${by(e.by)}${after(": ", reason)}`, by: e.by ?? "", why: c.text ?? "" });
        return;
      case "resume":
        this.#set({ paused: undefined });
        if (own) this.#rein(e, { sub: "resumed", text: `resumed${by(e.by)}`, by: e.by ?? "" });
        return;
      case "mode":
        if (c.mode) this.#set({ mode: c.mode });
        if (own) this.#rein(e, { sub: "mode", text: `mode ${c.mode ?? ""}${by(e.by)}`, by: e.by ?? "", ...(c.mode ? { mode: c.mode } : {}) });
        return;
      case "stop":
      case "cancel":
      case "delete":
        this.#set({ ending: kind });
        this.#close({ state: "withdrawn", by: e.by ?? "" }, e.at, () => true);
        if (own) {
          const word = { stop: "stopped", cancel: "cancelled", delete: "deleted" }[kind];
          this.#rein(e, { sub: "stopped", text: `${word}${by(e.by)}${after(": ", reason)}`, by: e.by ?? "", why: c.text ?? "", command: kind });
        }
        return;
      case "answer":
        this.#close({ ...c.answer, state: c.answer?.state || "answered", by: c.answer?.by || e.by || "" }, e.at, (ask) => ask.id === c.ask);
        if (c.answer?.mode) this.#set({ mode: c.answer.mode });
        return;
      case "expire":
        this.#close({ state: "expired", ...(c.by ? { by: c.by } : {}) }, e.at, (ask) => ask.id === c.ask);
        return;
      case "child":
        this.#childEnded(c.child, c.end);
    }
  }

  #said(e: Event, sub: PersonItem["sub"], c: Command): void {
    this.#add({
      id: idOf(e), run: e.run, at: e.at, kind: "person", sub, text: c.text ?? "", images: [], by: e.by ?? c.by ?? "",
      ...(sub === "comment" ? {} : { receipt: { state: "pending" as const } }),
    });
  }

  /** received takes note that the run has read a command. */
  #received(command: string, step: string): void {
    const id = itemOf(command);
    const i = lastIndex(this.#t.items, (it) => it.id === id);
    if (i >= 0) this.#edit<PersonItem>(i, { receipt: { state: "applied", step } });
  }

  #ended(e: Event): void {
    const p = read(e, e.kind as "run.completed");
    const known: Record<string, End> = { "run.completed": "done", "run.stopped": "stopped", "run.failed": "failed" };
    const end: End = p.end || known[e.kind]!;
    this.#close({ state: "withdrawn" }, e.at, () => true);
    this.#cut();
    this.#unread(p.next);
    this.#conclude(e, end, p);
    this.#set({ status: end, ended: e.at, paused: undefined, ending: undefined });
  }

  /** unread says what became of the messages that the run did not read. */
  #unread(next: Payloads["run.completed"]["next"]): void {
    const started = new Set(next?.commands.map(itemOf));
    this.#t.items.forEach((it, i) => {
      if (it.kind !== "person" || it.receipt?.state !== "pending") return;
      this.#edit<PersonItem>(i, { receipt: next && started.has(it.id) ? { state: "started", started: next.run } : { state: "not applied" } });
    });
  }

  /** cut ends the steps that end with the run. */
  #cut(): void {
    for (const key of [...this.#t.open.keys()]) {
      const step = this.#waited(this.#t.open.get(key)!);
      this.#steps().delete(key);
      const item = step.item === undefined ? undefined : this.#t.items[step.item]!;
      if (item?.kind === "model" && item.text.trim() === "") this.#drop(step.item!);
      else if (item?.kind === "model") this.#edit<ModelItem>(step.item!, { live: false, stopped: "stopped" });
      else if (item?.kind === "phase") this.#edit<PhaseItem>(step.item!, { live: false });
      else if (item?.kind === "tool") {
        const unsure = step.effect !== undefined && step.effect !== "pure";
        this.#edit<ToolItem>(step.item!, { state: unsure ? "unknown" : "cancelled", output: "", summary: unsure ? "whether it happened is not known" : "no result" });
      }
    }
  }

  /** conclude adds the end. Its text is shown only if it is not on the timeline; a draft that differs makes room for it. */
  #conclude(e: Event, end: End, p: Payloads["run.completed"]): void {
    const text = p.text?.trim() ? p.text : undefined;
    const at = lastIndex(this.#t.items, (it) => it.kind === "model");
    const last = at < 0 ? undefined : (this.#t.items[at] as ModelItem);
    const same = last !== undefined && text !== undefined && words(last.text) === words(text);
    const replaces = text !== undefined && !same && last !== undefined && isDraftOf(last, text, this.#checksDrafts());
    if (replaces) this.#edit<ModelItem>(at, { replaced: true });
    const data = p.data as Record<string, unknown> | undefined;
    this.#add(defined({
      id: idOf(e), run: e.run, at: e.at, kind: "end" as const, end, text: same ? undefined : text, replaces: replaces ? last.id : undefined, data: p.data,
      failure: p.failure, usage: this.#t.usage,
      citations: listOf(data?.["citations"]), doubtful: listOf(data?.["doubtful"]),
    }) as EndItem);
  }

  #doing(): Doing | undefined {
    const t = this.#t;
    if (t.ended) return undefined;
    if (t.paused) return { kind: "paused", text: `paused${by(t.paused.by)}`, since: t.paused.at };
    const ask = t.asks[0];
    if (ask) return { kind: "ask", text: "waiting for you", since: ask.opened, ...(ask.deadline ? { until: ask.deadline } : {}) };
    if (t.status === "blocked") return { kind: "blocked", text: "blocked", since: t.doing?.kind === "blocked" ? t.doing.since : t.started };
    if (t.status === "waiting" && t.doing?.kind === "parked") return t.doing;
    const open = [...t.open.values()];
    const step = open[lastIndex(open, (s) => s.started || s.waiting !== undefined)];
    if (!step) return { kind: t.status === "ready" ? "starting" : "working", text: t.status === "ready" ? "starting" : "working", since: t.started };
    return doingOf(step);
  }
}

function doingOf(step: OpenStep): Doing {
  const since = step.began;
  const { waiting } = step;
  if (waiting) return { kind: "wait", text: `waiting${after(": ", waiting.why)}`, since, ...(waiting.until ? { until: waiting.until } : {}) };
  if (step.verb === "tool" && !step.internal) return { kind: "tool", text: step.human || step.tool, since, tool: step.tool };
  if (step.tree) return { kind: "child", text: step.tree, since };
  if (step.folds !== undefined) return { kind: "model", text: `summarising ${count(step.folds, "older message")}`, since };
  if (step.verb === "wait" || step.verb === "spawn") return { kind: "child", text: step.human || `waiting for run ${step.child ?? ""}`.trimEnd(), since };
  if (step.prompt) return { kind: "model", text: step.human || "thinking", since };
  return { kind: "working", text: step.human || "working", since };
}

/** read returns the payload of an event; of one that was erased, nothing. */
function read<K extends keyof Payloads>(e: Event, _kind: K): Payloads[K] {
  return (e.erased ? {} : (e.data ?? {})) as Payloads[K];
}

function commandOf(e: Event): Command {
  return (e.erased ? {} : (e.data ?? {})) as Command;
}

/** idOf names an item by its event. The first one of an event has its number only. */
function idOf(e: Event, n = 0): string {
  return `${e.run}#${e.seq}${n ? `.${n}` : ""}`;
}

/** stepOf returns the step that the key of a sub-event belongs to: "7.2.3.ask" belongs to step "7.2.3". */
export function stepOf(key: string): string {
  return key.replace(/(\.[^.\d][^.]*)+$/, "");
}

/** verbOf finds the verb in a signature of an older program. */
function verbOf(sig: string | undefined): string {
  return (sig ?? "").split(" ")[0]!;
}

function waitedFor(end: StepEnd): string | undefined {
  const [verb, run] = (end.sig ?? "").split(" ");
  return verb === "wait" ? run : undefined;
}

function hasBound(start: StepStart): boolean {
  return Object.values(start.bound ?? {}).some((n) => n !== 0);
}

function treeCall(start: StepStart): string {
  if (start.verb === "spawn") return "fork";
  if (start.verb === "wait") return `wait for fork ${start.tree?.handle ?? 0}`;
  return `${start.verb ?? "send"} to run ${start.tree?.run ?? ""}`;
}

/** titleOf is the first line of what was last asked. */
function titleOf(task: Partial<Task>): string {
  const messages = task.messages ?? [];
  const asked = messages[lastIndex(messages, (m) => m.role === "user")];
  return short((asked?.text ?? "").trim().split("\n")[0]!, 120);
}

function questionOf(child: Timeline): string {
  const asked = child.items[lastIndex(child.items, (it) => it.kind === "person" && it.sub === "task")];
  return asked?.kind === "person" ? asked.text : "";
}

/** itemOf is the ID of the item of what was sent. */
function itemOf(command: string): string {
  return command.replace(/:(\d+)$/, "#$1");
}

function afterOf(start: Payloads["run.started"]): string {
  const task = start.task as { after?: string } | undefined;
  return task?.after || start.after || "";
}

function stepsOf(task: Partial<Task>): { n: number; of?: number } {
  const of = (task.settings as Record<string, unknown> | undefined)?.[turns[task.flow ?? ""] ?? ""];
  return typeof of === "number" ? { n: 0, of } : { n: 0 };
}

function closed(ask: Ask, answer: Answer, at: string): Ask {
  return { ...ask, state: answer.state as AskState, answer, closed: at };
}

function usageOf(u: ModelUsage): Usage {
  return { input: u.input ?? 0, output: u.output ?? 0, micros: u.micros ?? 0 };
}

function ms(end: StepEnd): number | undefined {
  return end.duration === undefined ? undefined : end.duration / 1e6;
}

/** thoughtOf is what a model said to itself: the prose or, if there is none, what the block for the flow says. */
function thoughtOf(text: string): string {
  const said = gates.thought(text);
  if (said) return said;
  try {
    const block = JSON.parse(gates.lastObject(text)?.text ?? "") as Record<string, unknown>;
    const told = ["plan", "observation", "thought", "reason"].map((name) => block[name]).find((v) => typeof v === "string" && v !== "");
    return typeof told === "string" ? told : "";
  } catch {
    return "";
  }
}

function stateOf(tool: string, end: StepEnd): ToolState {
  if (!end.result) return end.failure && interruptions.includes(end.failure.code) ? "cancelled" : "failed";
  switch (end.result.status) {
    case "ok":
      return exitOf(tool, end.result.data)?.failed ? "failed" : "ok";
    case "refused":
      return "refused";
    case "unknown":
      return "unknown";
    case "skipped":
      return "cancelled";
  }
  return "failed";
}

/** isDraftOf reports whether a text on the timeline is a draft of the text that the run ends with. */
function isDraftOf(draft: ModelItem, text: string, checked: boolean): boolean {
  return (draft.final && checked) || words(text).startsWith(words(draft.text));
}

/** words is a text without what white space it has: it is trimmed where a text is recorded. */
function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function listOf<T>(value: unknown): readonly T[] | undefined {
  return Array.isArray(value) && value.length > 0 ? (value as T[]) : undefined;
}

/** lastIndex is where the last element is that is looked for, or -1. */
function lastIndex<T>(list: readonly T[], is: (of: T) => boolean): number {
  let i = list.length - 1;
  while (i >= 0 && !is(list[i]!)) i--;
  return i;
}

/** defined leaves out the fields without a value. */
function defined<T extends object>(of: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
}
