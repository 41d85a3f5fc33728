import type { Ask, Failure, StepEnd, Todo, ToolCall } from "./types.ts";

// The words of rein's terminal, so that a page says the same.

/** count writes a number with its noun. */
export function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${number(n)} ${noun}s`;
}

/** number writes 2000000 as 2,000,000. */
export function number(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** size writes a number of bytes. */
export function size(n: number): string {
  if (n < 1000) return count(n, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let value = n / 1000;
  while (value >= 1000 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value.toFixed(1)} ${units[0]}`;
}

/** span writes milliseconds as people say them. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.floor(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const two = (big: number, bigName: string, small: number, smallName: string) => {
    const rest = Math.floor((ms % big) / small);
    return `${Math.floor(ms / big)} ${bigName}` + (rest > 0 ? ` ${rest} ${smallName}` : "");
  };
  if (ms < 3_600_000) return two(60_000, "min", 1000, "s");
  if (ms < 86_400_000) return two(3_600_000, "h", 60_000, "min");
  return two(86_400_000, "d", 3_600_000, "h");
}

/** money writes millionths of the currency unit: 0, 0.0012, 5.00. */
export function money(micros: number): string {
  if (micros === 0) return "0";
  const text = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;
  return text.replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** short returns the beginning of a text on one line. */
export function short(text: string, most: number): string {
  const line = [...text.slice(0, 8192).split(/\s+/).filter(Boolean).join(" ")];
  return line.length > most ? line.slice(0, most).join("").trimEnd() + "…" : line.join("");
}

/** by says who did something, if it is known. */
export function by(who: string | undefined): string {
  return who ? ` by ${who}` : "";
}

/** after puts a text behind what leads to it, if there is one. */
export function after(lead: string, text: string | undefined): string {
  return text ? lead + text : "";
}

/** failed is an error in words, with its code. */
export function failed(f: Failure): string {
  return `${short(f.msg, 1000)} (${f.code})`;
}

/** What a call can do, for the person who is to approve it. */
const effects: Record<string, string> = {
  pure: " It changes nothing.",
  idempotent: " It can change something; doing it twice is like doing it once.",
  checkable: " It can change something.",
  unsafe: " It can change something, and rein may not be able to undo all of it.",
};

/** headline says in rein's own words what an ask wants. */
export function headline(ask: Ask): string {
  const call = ask.call ? `this call of ${ask.call.name}` : "this";
  let text = "A question:";
  if (ask.say) text = ask.say;
  else if (ask.kind === "approval") text = `Approve ${call}?${effects[ask.effect ?? ""] ?? ""}${after(" Mode: ", ask.mode)}`;
  if (ask.kind === "confirmation") text = ask.modes?.length ? "Accept this plan? Nothing was changed so far." : `Approve ${call}?`;
  if (ask.kind === "unknown") text = `Did ${call} happen?`;
  return text + (ask.guessed ? ` rein guessed it from what the model wrote (${ask.guessed}).` : "");
}

/** The arguments that rein gives a call: who it is for, and what a person was shown. */
const added = ["household", "user", "session", "shown", "plan"];

/** withoutAdded leaves out of arguments what rein added to those that the model wrote. */
export function withoutAdded(args: unknown, wrote: unknown): unknown {
  if (!isObject(args)) return args;
  const own = isObject(wrote) ? wrote : {};
  return Object.fromEntries(Object.entries(args).filter(([name]) => name in own || !added.includes(name)));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** argument is the value of the argument that says most, else of the first one. */
export function argument(tool: string, args: unknown): string {
  if (tool === "todo" || args === undefined || args === null) return "";
  if (!isObject(args)) return short(typeof args === "string" ? args : JSON.stringify(args), 100);
  const named = [args["pattern"], args["path"], args["command"]].find((v) => typeof v === "string" && v !== "");
  const first = named ?? Object.values(args)[0];
  return first === undefined ? "" : short(text(first), 100);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((v) => typeof v === "string")) return value.join(", ");
  return JSON.stringify(value);
}

/** argsOf returns the arguments that a model wrote, which may not be JSON. */
export function argsOf(call: ToolCall | undefined): unknown {
  return call?.raw_args ?? call?.args;
}

/** summary says in a few words what a call led to. */
export function summary(tool: string, end: StepEnd): string {
  const result = end.result;
  if (!result) return end.failure ? failed(end.failure) : "no result";
  if (result.from_person) return "answered";
  if (result.status === "unknown") return "whether it happened is not known";
  if (result.status !== "ok") return `${result.status}: ${short(result.text ?? "", 400)}`;
  const list = tool === "todo" ? todoOf(result.data) : undefined;
  if (list) return `${list.items.filter((i) => i.state === "done").length} of ${list.items.length} done`;
  return writtenNotes(tool, result.text) || exitOf(tool, result.data)?.words || resultSize(end);
}

/** exitOf says how a command ended, and whether it failed. */
export function exitOf(tool: string, data: unknown): { words: string; failed: boolean } | undefined {
  if (tool !== "execute_command" || !isObject(data)) return undefined;
  if (data["handle"]) return { words: `in the background: ${text(data["handle"])}`, failed: false };
  if (data["ended"]) return { words: `ended by a limit: ${text(data["ended"])}`, failed: true };
  const exit = typeof data["exit"] === "number" ? data["exit"] : 0;
  return { words: `exit code ${exit}`, failed: exit !== 0 };
}

/** writtenNotes names the notes that a commit wrote. */
function writtenNotes(tool: string, result: string | undefined): string {
  if (tool !== "commit_staged_changes" && tool !== "undo_commit") return "";
  try {
    const done = JSON.parse(result ?? "") as { undoes?: string; notes?: { path: string }[] };
    const notes = done.notes ?? [];
    if (notes.length === 0) return "";
    const more = notes.length > 3 ? ` and ${notes.length - 3} more` : "";
    return (done.undoes ? "took back " : "wrote ") + notes.slice(0, 3).map((n) => short(n.path, 60)).join(", ") + more;
  } catch {
    return "";
  }
}

function resultSize(end: StepEnd): string {
  const shown = size(bytes(end.result?.text ?? ""));
  return end.result?.handle && end.whole ? `${shown} of ${size(bytes(end.whole))}` : shown;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** todoOf returns a list of things to do, if the data is one. */
export function todoOf(data: unknown): Todo | undefined {
  return isObject(data) && Array.isArray(data["items"]) ? (data as unknown as Todo) : undefined;
}
