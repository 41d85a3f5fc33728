import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { agent, getAgent, getAgentTree, setQueryUserHandler, userIntervention, useServer, type AgentState, type Chunk } from "../src/agents.ts";
import { ReinError } from "../src/index.ts";
import { Proxy, Server } from "./server.ts";

// The five functions of document 003 against a real server, with the document's own examples.

const party = `
when phase=clarify user~"birthday"
say {"ambiguous": true, "question": "Whose birthday?"}

when phase=split user~"User's response"
say {"questions": []}

when phase=act user~"User's response"
drip 5ms
say We meet in the park and eat cake.

when
say {}
`;

const long = `
when phase=split user~"task"
say {"questions": ["What to eat?"]}

when phase=act user="What to eat?"
hang

when phase=act
say A draft.

when phase=summary
drip 5ms
say Nobody found out what to eat.

when
say {}
`;

const options = `
when user="Option A"
say A is good.

when user="Option B"
say B is better.

when phase=act tool~"B is better"
say Take option B.

when phase=act
call python {"code":"handles = [fork(\\"Option A\\"), fork(\\"Option B\\")]\\nresults = [wait(h) for h in handles]\\nresults"}

when
say {}
`;

afterEach(() => {
  setQueryUserHandler(undefined);
  vi.restoreAllMocks();
});

async function serve(script: string): Promise<Server> {
  const server = await Server.start({ script });
  useServer(server.client());
  return server;
}

/** screen collects what an example writes. */
function screen(): { text: () => string; lines: string[] } {
  const written: string[] = [];
  const lines: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => (written.push(String(text)), true));
  vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => void lines.push(words.join(" ")));
  return { text: () => written.join(""), lines };
}

/** all reads a stream to its end. */
async function all(stream: AsyncGenerator<Chunk, string>, each: (c: Chunk) => void = () => {}): Promise<{ chunks: Chunk[]; result: string }> {
  const chunks: Chunk[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done) return { chunks, result: next.value };
    chunks.push(next.value);
    each(next.value);
  }
}

const textOf = (chunks: readonly Chunk[]) => chunks.map((c) => (c.type === "text-delta" ? c.textDelta : "")).join("");

// Covers: TREE-20 TREE-21/wire TREE-51 TREE-60
test("the example of interaction: a question is answered, and the text streams", async () => {
  await serve(party);
  const seen = screen();
  await import("./document003/interaction.ts");
  expect(seen.lines).toEqual(["User Query: Whose birthday?"]);
  expect(seen.text()).toBe("We meet in the park and eat cake.");
});

// Covers: TREE-8/web TREE-9/web TREE-10/web TREE-35 TREE-50/web TREE-62 TREE-63
test("the examples of monitoring and intervention: the tree is seen while it grows, and a sub-agent is deleted", async () => {
  await serve(long);
  const seen = screen();
  // The examples wait for seconds; the test has them look when there is something to see.
  const ticks: (() => void)[] = [];
  vi.spyOn(globalThis, "setInterval").mockImplementation(((tick: () => void) => ticks.push(tick)) as never);
  const monitored = import("./document003/monitoring.ts");
  await vi.waitFor(() => expect(children()).toHaveLength(1), { timeout: 20_000, interval: 20 });
  ticks[0]!();
  const [child] = children();
  expect(seen.lines[0]).toBe("Active agents: 2");
  expect(seen.lines.slice(1).sort()).toEqual([`${child!.agentId}: running - What to eat?`, `${child!.parentId}: running - Complex task`].sort());
  expect(await userIntervention(child!.agentId, { userComment: "delete" })).toBe(true);
  await monitored;
  expect(getAgentTree()).toEqual({});

  const later: (() => Promise<void>)[] = [];
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => Promise<void>, ms: number, ...more: []) =>
    ms === 5000 && act.constructor.name === "AsyncFunction" ? later.push(act) : real(act, ms, ...more)) as never);
  const intervened = import("./document003/intervention.ts");
  await vi.waitFor(() => expect(children()).toHaveLength(1), { timeout: 20_000, interval: 20 });
  const [second] = children();
  await later[0]!();
  await intervened;
  expect(seen.lines.at(-1)).toBe(`Deleted subagent ${second!.agentId}`);
  expect(getAgent(second!.agentId)).toMatchObject({ status: "deleted", result: "It was deleted." });
  const root = getAgent(second!.parentId!)!;
  expect(root).toMatchObject({ status: "completed", result: "Nobody found out what to eat.", parentId: null, subagents: [second!.agentId] });
});

function children(): AgentState[] {
  return Object.values(getAgentTree()).filter((a) => a.parentId);
}

// Covers: TREE-40/python
test("the example of Python: two forks are waited for", async () => {
  await serve(options);
  const seen = screen();
  await import("./document003/python.ts");
  expect(seen.text()).toBe("Take option B.");
});

test("a connection that is cut, and a server that is killed, lose and double nothing", async () => {
  const server = await serve(party);
  const proxy = await Proxy.before(server);
  useServer(server.client(proxy.url));
  let asked = 0;
  setQueryUserHandler(() => {
    if (asked++ === 0) proxy.cut(); // the answer cannot be sent any more: the question comes again
    return "User's response";
  });
  let killed: Promise<void> | undefined;
  const { chunks, result } = await all(agent({ prompt: "Plan my birthday party", agentId: "party" }), (c) => {
    if (c.type === "text-delta" && !killed) killed = server.kill().then(() => server.up());
  });
  await killed;
  expect(asked).toBe(2);
  expect(result).toBe("We meet in the park and eat cake.");
  const begun = chunks.map((c) => c.type).lastIndexOf("text-start");
  expect(textOf(chunks.slice(begun))).toBe(result);
  expect(chunks[0]).toMatchObject({ type: "agent-state", agentId: "party", state: { status: "running" } });
  expect(chunks.filter((c) => c.type === "agent-state").at(-1)).toMatchObject({ state: { status: "completed", result } });
  const agents = (await (await server.client().send("/v1/runs?roots=1")).json()) as { runs: { id: string }[] };
  expect(agents.runs.map((r) => r.id)).toEqual(["party"]);
  await vi.waitFor(() => expect(getAgent("party")!.messages?.map((m) => m.role)).toContain("assistant"));
});

test("who declines ends the agent, and so does a handler that fails", async () => {
  await serve(party);
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const handler of [() => null, () => Promise.reject(new Error("no window"))]) {
    setQueryUserHandler(handler);
    const { chunks } = await all(agent({ prompt: "Plan my birthday party" }));
    const end = chunks.filter((c) => c.type === "agent-state").at(-1)!;
    expect(end).toMatchObject({ state: { status: "completed", metadata: { declined: true } } });
  }
  expect(said).toHaveBeenCalledOnce();
});

test("what cannot be is an error, and does not hang", async () => {
  const server = await serve(party);
  await expect(all(agent({}))).rejects.toThrow("neither a prompt nor a message");
  await expect(all(agent({ prompt: "x", parentId: "nobody" }))).rejects.toThrow(/nobody/);
  expect(await userIntervention("nobody", { userComment: "delete" })).toBe(false);
  expect(getAgent("nobody")).toBeUndefined();
  setQueryUserHandler(() => null);
  await all(agent({ prompt: "Plan my birthday party", agentId: "once" }));
  await expect(all(agent({ prompt: "x", agentId: "once" }))).rejects.toThrow("taken");
  await expect(userIntervention("once", { status: "nonsense" as never })).rejects.toBeInstanceOf(ReinError);
  server.token = "rein_wrong";
  useServer(server.client());
  await expect(all(agent({ prompt: "x" }))).rejects.toMatchObject({ status: 401 });
});

test("without a handler a question waits for others", async () => {
  const server = await serve(party);
  const rein = server.client();
  const done = all(agent({ prompt: "Plan my birthday party", agentId: "waits" }));
  await vi.waitFor(() => expect(getAgentTree()["waits"]?.status).toBe("awaiting_user"), { timeout: 20_000 });
  const { asks } = await rein.listAsks({ state: "pending" });
  await rein.answerAsk(asks[0]!.id, { state: "answered", text: "User's response", shown: asks[0]!.shown! });
  expect((await done).result).toBe("We meet in the park and eat cake.");
});

test("who leaves does not stop the agent", async () => {
  const server = await serve(long);
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  for await (const c of agent({ prompt: "Long running task", agentId: "left" }, { signal: leave.signal })) {
    if (c.type === "agent-state" && c.agentId !== "left") break;
  }
  expect((await server.client().showRun("left")).status).toMatch(/running|waiting/);
});
