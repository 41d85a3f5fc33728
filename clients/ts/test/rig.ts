import { expect } from "vitest";
import {
  fold, foldAll, follow, timeline, type FeedState, type FollowOptions, type Item, type Line, type NewRun, type Rein, type Timeline,
} from "../src/index.ts";

/** task is the body that starts a run. */
export function task(flow: string, text: string, more: object = {}): NewRun {
  return { task: { flow, messages: [{ role: "user", text }], ...more } };
}

/** A Watched is a run that was followed to its end. */
export interface Watched {
  run: string;
  timeline: Timeline;
  lines: Line[];
  states: FeedState[];
}

type Moment = (t: Timeline, line: Line) => void | Promise<void>;

/** watch follows a run, folds what comes, and lets the test act on each moment. */
export async function watch(rein: Rein, run: string, o: FollowOptions = {}, moment: Moment = () => {}): Promise<Watched> {
  const seen: Watched = { run, timeline: timeline(run), lines: [], states: [] };
  for await (const line of follow(rein, run, { ...o, onState: (state) => seen.states.push(state) })) {
    seen.lines.push(line);
    seen.timeline = fold(seen.timeline, line);
    await moment(seen.timeline, line);
  }
  return seen;
}

/** play starts a run and watches it. Its log, read again in any way, gives the same timeline. */
export async function play(rein: Rein, body: NewRun, o: FollowOptions = {}, moment?: Moment): Promise<Watched> {
  const run = await rein.startRun(body);
  const seen = await watch(rein, run.id, o, moment);
  await same(rein, seen, o.tree);
  return seen;
}

/** same holds what was watched against the log, read whole, and read in two parts. */
export async function same(rein: Rein, seen: Watched, tree = false): Promise<void> {
  const log = await logOf(rein, seen.run, tree);
  expect(foldAll(timeline(seen.run), log)).toEqual(seen.timeline);
  const half = foldAll(timeline(seen.run), log.slice(0, log.length / 2));
  const frozen = JSON.stringify(half, readable);
  expect(foldAll(half, log)).toEqual(seen.timeline); // what it has seen comes again
  expect(JSON.stringify(half, readable)).toBe(frozen);
}

function readable(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

export async function logOf(rein: Rein, run: string, tree = false): Promise<Line[]> {
  const all: Line[] = [];
  for (let after = "", more = true; more; ) {
    const page = await rein.events(run, { after, tree });
    all.push(...page.lines);
    ({ next: after, more } = page);
  }
  return all;
}

/** once runs something the first time that a condition is true. */
export function once(is: (t: Timeline, line: Line) => boolean, act: (t: Timeline) => void | Promise<void>): Moment {
  let done = false;
  return (t, line) => {
    if (done || !is(t, line)) return;
    done = true;
    return act(t);
  };
}

export function all(...moments: Moment[]): Moment {
  return async (t, line) => {
    for (const moment of moments) await moment(t, line);
  };
}

/** short says what the items are, in a few words each. */
export function told(t: Timeline): string[] {
  return t.items.map(inWords);
}

function inWords(it: Item): string {
  switch (it.kind) {
    case "person":
      return `person ${it.sub}: ${it.text}${it.receipt ? ` (${it.receipt.state})` : ""}`;
    case "plan":
    case "wait":
      return `${it.kind}: ${it.text}`;
    case "rein":
      return `rein ${it.sub}: ${it.text}`;
    case "model":
      return `model: ${it.text}${it.live ? " (live)" : ""}${it.final ? " (final)" : ""}${it.stopped ? ` (${it.stopped})` : ""}${it.replaced ? " (replaced)" : ""}`;
    case "phase":
      return `phase ${it.phase} ${it.round}: ${it.text}`;
    case "tool":
      return `tool ${it.name} ${it.argument}: ${it.state}${it.summary ? `, ${it.summary}` : ""}`;
    case "ask":
      return `ask ${it.ask.kind}: ${it.ask.state}${it.ask.answer?.by ? ` by ${it.ask.answer.by}` : ""}`;
    case "child":
      return `child: ${it.question} (${it.status})`;
    case "end":
      return `end ${it.end}${it.text === undefined ? "" : `: ${it.text}`}${it.failure ? ` (${it.failure.code})` : ""}`;
  }
}
