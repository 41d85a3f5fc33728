import { expect, test } from "vitest";
import { follow, ReinError, type Line } from "../src/index.ts";
import { all, once, play, same, task, watch, type Watched } from "./rig.ts";
import { Proxy, Server } from "./server.ts";

const words = "I look again, on the café's: " + "één twee ".repeat(20);

const looks = `
when turn=1
say I look at the clock.
call get_current_time {}

when turn=2
drip 20ms
say ${words}
`;

const look = task("operate", "How late is it?", { tools: ["get_current_time"] });

/** whole checks that every event came once and in order, and no piece of text twice. */
function whole(seen: Watched): void {
  const seqs = seen.lines.flatMap((l) => l.event?.seq ?? []);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  const texts = new Map<string, { attempt: number; text: string }>();
  for (const { delta } of seen.lines) {
    if (!delta) continue;
    const has = texts.get(delta.step);
    const before = has && has.attempt === delta.attempt ? has.text : "";
    expect(delta.offset).toBe(new TextEncoder().encode(before).length);
    texts.set(delta.step, { attempt: delta.attempt, text: before + delta.text });
  }
  expect([...texts.values()].map((t) => t.text.trim())).toContain(words.trim());
}

/** writing is true when a model has begun its second text. */
const writing = (_: unknown, line: Line) => line.delta?.text.includes("café") ?? false;

for (const transport of ["stream", "socket"] as const) {
  test(`${transport}: a run is followed to its end`, async () => {
    const server = await Server.start({ script: looks });
    const seen = await play(server.client(), look, { transport });
    whole(seen);
    expect(seen.states).toEqual(["live", "ended"]);
  });

  test(`${transport}: a cut connection is continued after the cursor`, async () => {
    const server = await Server.start({ script: looks });
    const proxy = await Proxy.before(server);
    const cuts: string[] = [];
    const cut = (name: string, is: Parameters<typeof once>[0]) => once(is, () => {
      cuts.push(name);
      proxy.cut();
    });
    const seen = await play(server.client(proxy.url), look, { transport }, all(
      cut("after an event", (_, line) => line.event?.kind === "step.started"),
      cut("in a text", writing),
    ));
    expect(cuts).toEqual(["after an event", "in a text"]);
    expect(seen.states.filter((s) => s === "reconnecting").length).toBeGreaterThanOrEqual(2);
    expect(seen.states.at(-1)).toBe("ended");
    whole(seen);
  });

  test(`${transport}: a run goes on after the server was killed`, async () => {
    const server = await Server.start({ script: looks });
    const rein = server.client();
    const seen = await play(rein, look, { transport }, once(writing, async () => {
      await server.kill();
      await server.up();
    }));
    whole(seen);
    expect(seen.states).toContain("reconnecting");
    const attempts = seen.lines.flatMap((l) => (l.delta?.text ? [l.delta.attempt] : []));
    expect(Math.max(...attempts)).toBe(2); // the text began again
    const text = seen.timeline.items.filter((it) => it.kind === "model").at(-1);
    expect(text).toMatchObject({ text: words.trim(), attempt: 2, live: false, final: true });
  });

  test(`${transport}: people see that they are offline, and that they are back`, async () => {
    const server = await Server.start({ script: looks });
    const proxy = await Proxy.before(server);
    const run = await server.client().startRun(look);
    const seen: string[] = [];
    const onState = (state: string) => {
      seen.push(state);
      if (state === "offline") proxy.refuses = false;
    };
    for await (const line of follow(server.client(proxy.url), run.id, { transport, onState })) {
      if (!writing(undefined, line)) continue;
      proxy.refuses = true;
      proxy.cut();
    }
    expect(seen).toEqual(["live", "reconnecting", "offline", "live", "ended"]);
  });

  test(`${transport}: what the server refuses is an error`, async () => {
    const server = await Server.start();
    const missing = watch(server.client(), "missing", { transport });
    await expect(missing).rejects.toMatchObject({ name: "ReinError", status: 404, code: "not_found" });
    server.token = "rein_wrong";
    await expect(watch(server.client(), "missing", { transport })).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test(`${transport}: a cursor of another log begins again`, async () => {
    const [one, other] = [await Server.start({ script: looks }), await Server.start({ script: looks })];
    const body = { ...look, id: "r1" };
    const before = await play(one.client(), body, { transport });
    const middle = before.lines.filter((l) => l.cursor).at(-1)!.cursor!;
    await other.client().startRun({ ...body, task: { ...body.task, messages: [{ role: "user", text: "And now?" }] } });
    const seen = await watch(other.client(), "r1", { transport, after: middle });
    expect(seen.lines[0]!.resync).toBeTruthy();
    expect(seen.timeline.title).toBe("And now?");
    await same(other.client(), seen);
  });
}

test("a reader that comes late gets the text so far, and one that leaves leaves nothing behind", async () => {
  const server = await Server.start({ script: looks });
  const rein = server.client();
  let late: Promise<Watched> | undefined;
  const seen = await play(rein, look, {}, once(writing, (t) => {
    late = watch(rein, t.run);
  }));
  expect((await late!).timeline).toEqual(seen.timeline);
  whole(await late!);
  const leave = new AbortController();
  const states: string[] = [];
  for await (const line of follow(rein, seen.run, { signal: leave.signal, onState: (s) => states.push(s) })) {
    if (line.event?.seq === 2) leave.abort();
  }
  expect(states).toEqual(["live"]);
});

test("with a limit of tries the error is thrown", async () => {
  const server = await Server.start({ script: looks });
  const rein = server.client();
  const run = await rein.startRun(look);
  await server.kill();
  const error = await watch(rein, run.id, { tries: 1 }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ReinError);
  expect(error).toMatchObject({ code: "unavailable" });
});
