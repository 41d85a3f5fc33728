// Folds logs and prints what the timeline says of each run, a JSON object a line, for the test that compares it with
// package journal. It reads a JSON array of events a line: the logs of a tree of runs.
import { createInterface } from "node:readline";
import { foldAll, timeline } from "../src/timeline.ts";

function told(t) {
  const of = (kind) => t.items.filter((it) => it.kind === kind);
  return {
    run: t.run,
    status: t.ended ? t.status : "",
    seq: t.seq,
    usage: t.usage,
    models: of("model").filter((it) => it.step).map((it) => [it.step, it.text]),
    phases: of("phase").map((it) => it.step),
    tools: of("tool").map((it) => [it.step, it.name, it.result?.status ?? ""]),
    asks: of("ask").map((it) => [it.ask.id, it.ask.state, it.ask.answer?.by ?? ""]),
    open: t.asks.map((ask) => ask.id),
    children: of("child").map((it) => it.child),
    read: of("person").filter((it) => it.receipt?.state === "applied").map((it) => it.text),
    late: of("person").filter((it) => it.receipt?.state === "started" || it.receipt?.state === "not applied")
      .map((it) => `${it.text}: ${it.receipt.state} ${it.receipt.started ?? ""}`),
    todo: t.todo ? t.todo.items.length : 0,
    steps: [...t.open.keys()],
    doing: t.doing?.text ?? "",
    order: t.items.map((it) => `${it.id} ${it.kind === "tool" ? it.argument : ""}`),
  };
}

function print(t) {
  process.stdout.write(JSON.stringify(told(t)) + "\n");
  for (const child of t.children.values()) print(child);
}

for await (const line of createInterface({ input: process.stdin })) {
  const events = JSON.parse(line);
  print(foldAll(timeline(events[0].run), events.map((event) => ({ event }))));
}
