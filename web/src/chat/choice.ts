// How the runs of a session work, as far as somebody chose it. What they did not choose is the server's to say, or a
// preset's. It is kept in the browser for each session, and what was chosen last is where a new session begins.
import type { Budget, Defaults, Field, Flow, Mode, Preset, Task } from 'rein-client';
import { keep, kept } from '../lib/device.svelte';

export interface Choice {
  preset?: string;
  flow?: string;
  model?: string;
  mode?: Mode;
  workspace?: string;
  /** Beside those that a flow always has; undefined: the usual ones. */
  tools?: readonly string[];
  /** The settings of each flow, by its name: numbers as they were typed, so that nothing typed is lost. */
  settings?: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  /** Currency units, as they were typed. */
  money?: string;
  rounds?: string;
}

export type Value = string | boolean;

/** How much waits for a person, the strictest first. */
export const modes: readonly Mode[] = ['plan', 'ask', 'edits', 'sandbox'];

export function choiceKey(user: string, session = ''): string {
  return `choice ${user} ${session}`;
}

/** readChoice returns what was chosen for a session; for a new one, what was chosen last. */
export function readChoice(user: string, session?: string): Choice {
  const text = kept(choiceKey(user, session));
  try {
    const choice = JSON.parse(text ?? '{}') as unknown;
    return choice && typeof choice === 'object' && !Array.isArray(choice) ? (choice as Choice) : {};
  } catch {
    return {};
  }
}

/** keepChoice keeps it for the session; without one, as what the next new one begins with. */
export function keepChoice(user: string, session: string | undefined, choice: Choice) {
  keep(choiceKey(user, session), JSON.stringify(choice));
}

/** writeChoice keeps it for both. */
export function writeChoice(user: string, session: string | undefined, choice: Choice) {
  if (session) keepChoice(user, session, choice);
  keepChoice(user, undefined, choice);
}

/** flowOf is the flow that a choice leads to. */
export function flowOf(choice: Choice, flows: readonly Flow[], preset?: Preset): Flow | undefined {
  const name = choice.flow || preset?.task.flow;
  return flows.find((f) => f.name === name) ?? (name ? undefined : flows.find((f) => f.default));
}

/** defaultOf is what a setting is if nobody chooses it: the preset's or the server's. */
export function defaultOf(field: Field, flow: Flow, preset?: Preset): unknown {
  const given = preset?.task.flow === flow.name ? (preset.task.settings as Record<string, unknown> | undefined) : undefined;
  return given?.[field.name] ?? field.default;
}

/** What is wrong with a value: not a number, not whole, or out of the range. */
export type Wrong = { why: 'number' | 'whole' | 'range'; min?: number; max?: number };

/** wrongWith checks a typed value as the server would; undefined: nothing is wrong. Empty is the default. */
export function wrongWith(field: Pick<Field, 'type' | 'min' | 'max'>, value: Value | undefined): Wrong | undefined {
  if (field.type !== 'integer' && field.type !== 'number') return undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const n = numberOf(value);
  const { min, max } = field;
  if (n === undefined) return { why: 'number' };
  if (field.type === 'integer' && !Number.isInteger(n)) return { why: 'whole' };
  if ((min !== undefined && n < min) || (max !== undefined && n > max)) return { why: 'range', ...(min !== undefined ? { min } : {}), ...(max !== undefined ? { max } : {}) };
  return undefined;
}

/** numberOf reads a number as people write it, with a point or a comma. */
export function numberOf(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

export const moneyField = { type: 'number', min: 0.000001 } as const;
export const roundsField = { type: 'integer', min: 1 } as const;

/** wrongs lists what is wrong with a choice, by the name of the field. */
export function wrongs(choice: Choice, flow: Flow | undefined): ReadonlyMap<string, Wrong> {
  const found = new Map<string, Wrong>();
  const set = flow && choice.settings?.[flow.name];
  for (const field of flow?.fields ?? []) put(field.name, wrongWith(field, set?.[field.name]));
  put('budget.money', wrongWith(moneyField, choice.money));
  put('budget.rounds', wrongWith(roundsField, choice.rounds));
  return found;

  function put(name: string, wrong: Wrong | undefined) {
    if (wrong) found.set(name, wrong);
  }
}

/** taskOf is the part of a task that the choice makes. Only what was chosen is in it. */
export function taskOf(choice: Choice, flow: Flow | undefined, defaults: Defaults | undefined, preset?: Preset): Partial<Task> {
  const task: Partial<Task> = {};
  if (choice.flow) task.flow = choice.flow;
  if (choice.model) task.model = choice.model;
  if (choice.mode) task.mode = choice.mode;
  if (choice.workspace) task.workspace = choice.workspace;
  if (choice.tools) task.tools = [...choice.tools];
  const settings = flow && settingsOf(flow.fields, choice.settings?.[flow.name]);
  if (settings && Object.keys(settings).length) {
    task.settings = settings;
    task.flow = flow.name; // settings make sense for one flow only
  }
  const budget = budgetOf(choice, preset?.task.budget ?? defaults?.budget);
  if (budget) task.budget = budget;
  return task;
}

function settingsOf(fields: readonly Field[], set: Readonly<Record<string, Value>> = {}) {
  const settings: Record<string, unknown> = {};
  for (const field of fields) {
    const value = set[field.name];
    if (value === undefined || value === '') continue;
    const isNumber = field.type === 'integer' || field.type === 'number';
    settings[field.name] = isNumber && typeof value === 'string' ? numberOf(value) : value;
  }
  return settings;
}

/** A budget must have all its parts: those that nobody chose are the usual ones. */
function budgetOf({ money, rounds }: Choice, usual: Budget | undefined): Budget | undefined {
  const most = money ? numberOf(money) : undefined;
  const turns = rounds ? numberOf(rounds) : undefined;
  if (!usual || (most === undefined && turns === undefined)) return undefined;
  return { ...usual, ...(most === undefined ? {} : { micros: Math.round(most * 1e6) }), ...(turns === undefined ? {} : { rounds: turns }) };
}

/** fieldOf finds the field that an error of the server is about, by the names that it says. */
export function fieldOf(detail: string, flow: Flow | undefined): string | undefined {
  if (/\bbudget (micros|money)\b/.test(detail)) return 'budget.money';
  if (/\bbudget rounds\b/.test(detail)) return 'budget.rounds';
  if (/\bmode \w+\b/.test(detail)) return 'mode';
  if (/\bmodel "/.test(detail)) return 'model';
  if (/\bworkspace "/.test(detail)) return 'workspace';
  if (/\bpreset "/.test(detail)) return 'preset';
  if (/\btool "?[\w.]/.test(detail)) return 'tools';
  return flow?.fields.find((f) => new RegExp(`\\b${f.name}\\b`).test(detail))?.name ?? (/\bflow "/.test(detail) ? 'flow' : undefined);
}
