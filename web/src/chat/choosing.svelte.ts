// What somebody chooses about the runs of one session, what follows from it, and what is wrong with it.
import { ReinError, type Field, type Flow, type Mode, type Run, type Task } from 'rein-client';
import { house } from '../lib/house.svelte';
import { catalogue } from './catalogue.svelte';
import { defaultOf, fieldOf, flowOf, modes, keepChoice, readChoice, taskOf, writeChoice, wrongs, type Choice, type Value } from './choice';

export class Choosing {
  readonly session: string | undefined;
  readonly #user: string;
  readonly #active: () => Run | undefined;
  choice = $state.raw<Choice>({});
  /** The newest root run of the session: the next one works like it unless somebody chooses. */
  last = $state.raw<Run>();
  /** What the server said about a field, until the field changes. */
  refused = $state.raw<{ field: string; text: string }>();

  readonly preset = $derived(catalogue.presets.find((p) => p.name === this.choice.preset));
  readonly flow = $derived<Flow | undefined>(flowOf(this.#known(), catalogue.flows, this.preset));
  readonly wrongs = $derived(wrongs(this.choice, this.flow));
  readonly mode = $derived.by<Mode>(() => this.#active()?.mode ?? this.choice.mode ?? this.last?.mode ?? (this.session ? 'ask' : (catalogue.defaults?.mode ?? 'ask')));
  readonly model = $derived(this.choice.model || this.preset?.task.model || catalogue.models.find((m) => m.default)?.name || '');
  readonly workspace = $derived(this.choice.workspace || this.last?.workspace || catalogue.workspaces[0]?.name || 'default');
  /** The tools that are chosen, or that the runs get if nobody chooses. */
  readonly tools = $derived<readonly string[]>(this.choice.tools ?? this.preset?.task.tools ?? this.flow?.usual ?? []);

  constructor(user: string, session: string | undefined, active: () => Run | undefined) {
    this.#user = user;
    this.session = session;
    this.#active = active;
    this.choice = readChoice(user, session);
  }

  /** readLast looks up how the session worked last. */
  async readLast() {
    if (!this.session) return;
    const { runs } = await house.rein.listRuns({ session: this.session, roots: true, newest: true, limit: 1 });
    this.last = runs[0];
  }

  /** The choice, with the flow of the session if nobody chose one and it is one that people can choose. */
  #known(): Choice {
    const { choice, last } = this;
    const same = !choice.flow && !choice.preset && last && catalogue.flows.some((f) => f.name === last.flow);
    return same ? { ...choice, flow: last.flow } : choice;
  }

  change(change: Partial<Choice>, field?: string) {
    this.choice = tidy({ ...this.choice, ...change });
    if (field === this.refused?.field) this.refused = undefined;
    writeChoice(this.#user, this.session, this.choice);
  }

  /** set changes one setting of the flow; undefined leaves it to the server. */
  set(name: string, value: Value | undefined) {
    if (!this.flow) return;
    const { [name]: _, ...rest } = this.choice.settings?.[this.flow.name] ?? {};
    const set = value === undefined || value === '' ? rest : { ...rest, [name]: value };
    this.change({ settings: { ...this.choice.settings, [this.flow.name]: set } }, name);
  }

  /** from starts from a preset: what was chosen about how runs work gives way to it. */
  from(preset: string) {
    const { mode, workspace } = this.choice;
    this.change({ ...blankChoice, preset: preset || undefined, mode, workspace }, 'preset');
  }

  /** otherwise is what a setting is if nobody chooses it. */
  otherwise(field: Field): unknown {
    return this.flow ? defaultOf(field, this.flow, this.preset) : field.default;
  }

  /** whole is the task to save as a preset: with what the one that it started from says. */
  whole(): Partial<Task> {
    const [base, own] = [this.preset?.task, this.task()];
    const settings = base?.flow === this.flow?.name ? { ...(base?.settings as object | undefined), ...(own.settings as object | undefined) } : own.settings;
    return { ...base, ...own, ...(settings ? { settings } : {}) };
  }

  /** reset leaves everything to the server again. */
  reset() {
    this.refused = undefined;
    this.choice = {};
    writeChoice(this.#user, this.session, this.choice);
  }

  /** setMode holds at once if a run is active, and for the runs that come. */
  async setMode(mode: Mode) {
    const active = this.#active();
    if (active) await house.rein.command({ kind: 'mode', run: active.id, mode });
    this.change({ mode }, 'mode');
  }

  allows(mode: Mode): boolean {
    return modes.indexOf(mode) <= modes.indexOf(catalogue.defaults?.loosest ?? 'sandbox');
  }

  /** task is what a run that starts now gets of it. */
  task(): Partial<Task> {
    return taskOf(this.#known(), this.flow, catalogue.defaults, this.preset);
  }

  /** refuse takes an error of the server, and returns whether it is about a field. */
  refuse(err: unknown): boolean {
    if (!(err instanceof ReinError) || err.status !== 400 && err.status !== 403) return false;
    const field = fieldOf(err.detail, this.flow);
    this.refused = field ? { field, text: [err.detail, err.hint].filter(Boolean).join(' ') } : undefined;
    return !!field;
  }

  /** sent keeps the choice for the session, without the mode: from here on the session remembers it itself. */
  sent(session: string) {
    const { mode: _, ...rest } = this.choice;
    keepChoice(this.#user, session, rest);
    if (this.session) this.choice = rest;
  }
}

const blankChoice: Choice = { flow: undefined, model: undefined, tools: undefined, settings: undefined, money: undefined, rounds: undefined };

/** tidy leaves out what says nothing. */
function tidy(choice: Choice): Choice {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined && value !== '')) as Choice;
}
