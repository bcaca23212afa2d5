import { ChannelError } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";
import { expect, test } from "vitest";
import { readQuestion } from "../../src/questions/read-question.ts";
import { GROVE, openThread, THREAD } from "../subagents/commands/focus-desk.ts";
import { createGate } from "../subagents/tools/tool-desk.ts";
import { ADA, type Player, readSpawned, TreeDesk, type TreeDeskOptions } from "../subagents/tree-desk.ts";

const SOON_MS = 2_000;
/** What else was due is done by then, so that nothing but the end itself looks for what is due. */
const QUIET_MS = 30_000;
const ANSWER_MS = 10 * 60_000;
const WITHDRAWN = "_Not asked any more: the agent's turn has ended._";
const REQUEST = {
  id: "q-1",
  text: "May I dig?",
  choices: [
    { id: "allow", label: "Allow", isAllowing: true },
    { id: "deny", label: "Deny", isAllowing: false },
  ],
};

/** What the question's message has become, edit by edit. */
type Edits = string[];

const digs: Player = async ({ input }) => `${(await input.askPermission(REQUEST)).kind} to dig`;

async function openDesk(given: TreeDeskOptions = {}): Promise<{ readonly desk: TreeDesk; readonly edits: Edits }> {
  const edits: Edits = [];
  const desk = new TreeDesk({ edits: { edit: async ({ text }) => void edits.push(text) }, ...given });
  desk.plays(/^dig/, digs);
  return { desk: await desk.start(), edits };
}

/** The next process on what a dead one left. */
async function restart(desk: TreeDesk): Promise<{ readonly desk: TreeDesk; readonly edits: Edits }> {
  const { data, ports, messages } = desk;
  const next = await openDesk({ data, ports });
  next.desk.messages = messages;
  await next.desk.later(SOON_MS);
  return next;
}

test.each([
  ["/stop", "dig"],
  ["/new", "dig"],
  ["/reset and dig no more", "dig"],
])("after %s the question is withdrawn at once, and only once", async (command, ask) => {
  const { desk, edits } = await openDesk();
  await desk.says(ask);
  expect(desk.heard()).toEqual([expect.stringMatching(/^May I dig\?/)]);
  await desk.says(command);
  await desk.later(SOON_MS);
  expect(edits).toEqual([`May I dig?\n\n${WITHDRAWN}`]);
  await desk.later(24 * 60 * 60_000);
  expect(edits).toHaveLength(1);
  expect(await desk.store.read.timers({ limit: 9 })).toEqual([]);
});

test("a newer message that takes the turn's place withdraws what it had asked", async () => {
  const { desk, edits } = await openDesk({ options: { queue: { mode: "interrupt", debounceMs: 0 } } });
  await desk.says("dig");
  await desk.says("rather sing");
  await desk.later(SOON_MS);
  expect(edits).toEqual([expect.stringContaining(WITHDRAWN)]);
  expect(desk.heard().at(-1)).toBe("re: rather sing");
});

test("a turn that comes to its end without waiting for the answer asks no more", async () => {
  const { desk, edits } = await openDesk();
  desk.plays(/^shrug/, async ({ input }) => {
    void input.askPermission(REQUEST).catch(() => undefined);
    await desk.rest();
    return "never mind";
  });
  await desk.says("shrug");
  await desk.later(SOON_MS);
  expect(desk.heard().at(-1)).toBe("never mind");
  expect(edits).toEqual([expect.stringContaining(WITHDRAWN)]);
});

test("what a sub-agent asks is withdrawn when it is killed, and when its time is over", async () => {
  const { desk, edits } = await openDesk();
  const isAsked = () => desk.heard().filter((text) => text.startsWith("May I dig?")).length;
  const isWithdrawn = () => edits.filter((text) => text.includes(WITHDRAWN)).length;
  await desk.says("/spawn --label digger dig");
  expect(isAsked()).toBe(1);
  await desk.says("/kill digger");
  await desk.later(SOON_MS);
  expect(isWithdrawn()).toBe(1);
  desk.plays(/^hire/, async ({ call }) => (await call("sessions_spawn", { task: "dig", runTimeoutSeconds: 60 })).text);
  await desk.says("hire");
  expect(isAsked()).toBe(2);
  await desk.later(61_000);
  await desk.later(SOON_MS);
  expect(isWithdrawn()).toBe(2);
});

test("what a sub-agent's own helper asks is withdrawn when that one is killed", async () => {
  const { desk, edits } = await openDesk();
  const gate = createGate();
  desk.plays(/^lead/, async ({ call, signal, ...turn }) => {
    const { runId } = readSpawned(await call("sessions_spawn", { task: "dig", announce: "parent" }));
    await gate.player({ call, signal, ...turn });
    await call("subagents", { action: "kill", target: runId });
    return createGate().player({ call, signal, ...turn });
  });
  desk.plays(/^hire/, async ({ call }) => (await call("sessions_spawn", { task: "lead" })).text);
  await desk.says("hire");
  expect(desk.heard().some((text) => text.startsWith("May I dig?"))).toBe(true);
  await desk.later(QUIET_MS);
  gate.open();
  await desk.later(SOON_MS);
  expect(edits).toContainEqual(expect.stringContaining(WITHDRAWN));
});

test("what a conversation asks is withdrawn when it is deleted", async () => {
  const { desk, edits } = await openDesk();
  await desk.says("dig");
  const deleted = desk.gateway.operations["sessions-delete"]?.({ key: ADA });
  await desk.later(SOON_MS);
  await deleted;
  await desk.later(SOON_MS);
  expect(edits).toEqual([expect.stringContaining(WITHDRAWN)]);
});

test("what a sub-agent asks in its thread, behind its task, is withdrawn when that answer is stopped", async () => {
  const edits: Edits = [];
  const desk = await openThread({ edits: { edit: async ({ text }) => void edits.push(text) } });
  desk.plays(/^dig/, digs);
  await desk.ends("a", "a is done");
  await desk.ends("helper", "ready");
  await desk.saysAt(THREAD, "dig");
  await desk.later(QUIET_MS);
  await desk.saysAt(GROVE, "/kill helper");
  await desk.later(SOON_MS);
  expect(edits).toContainEqual(expect.stringContaining(WITHDRAWN));
});

test("what the answer to a result asked is withdrawn by /stop, though the result itself is still to be written down", async () => {
  const { desk, edits } = await openDesk();
  desk.plays(/^hire/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "scout" });
    return "hired";
  });
  desk.plays(/“scout”/, digs);
  await desk.says("hire");
  expect(desk.heard().at(-1)).toMatch(/^May I dig\?/);
  await desk.says("/stop");
  await desk.later(SOON_MS);
  expect(edits.at(-1)).toContain(WITHDRAWN);
});

test("a press that was under way when the turn ended is told so, and changes nothing", async () => {
  const { desk, edits } = await openDesk();
  await desk.says("dig");
  const [asked] = await desk.store.read.deliveries({ limit: 9 });
  const id = /"id":"(?<id>[\w-]{22})"/.exec(asked?.body ?? "")?.groups?.id;
  await desk.says("/stop");
  await desk.says(`/answer allow ${id}`);
  await desk.later(SOON_MS);
  await desk.says(`/answer allow ${id}`);
  expect(desk.heard().slice(-2)).toEqual(Array(2).fill("That question is not asked any more."));
  expect(edits).toEqual([expect.stringContaining(WITHDRAWN)]);
  expect((await desk.transcript()).map(({ kind }) => kind)).not.toContain("answer");
});

test("a process that dies between the end of the turn and the message leaves that to the next one", async () => {
  const { desk, edits } = await openDesk({
    fault: ({ step }, when) => (step === "command" && when === "after" ? "closed" : "none"),
  });
  await desk.says("dig");
  await desk.says("/stop");
  desk.crash();
  const next = await restart(desk);
  expect([edits, next.edits]).toEqual([[], [expect.stringContaining(WITHDRAWN)]]);
  expect(await next.desk.store.read.timers({ limit: 9 })).toEqual([]);
});

test("where the next process ends a turn that had asked, it is withdrawn then; as long as the turn is to go on it is asked", async () => {
  const { desk } = await openDesk();
  await desk.says("dig");
  desk.crash();
  const next = await restart(desk);
  expect(next.edits).toEqual([]);
  await next.desk.says("/stop");
  await next.desk.later(SOON_MS);
  expect(next.edits).toEqual([expect.stringContaining(WITHDRAWN)]);
});

test("where the next process' turn asks no more, the question of the earlier one goes with its end", async () => {
  const { desk } = await openDesk();
  await desk.says("dig");
  desk.crash();
  const gate = createGate();
  const edits: Edits = [];
  const { data, ports } = desk;
  const next = new TreeDesk({ data, ports, edits: { edit: async ({ text }) => void edits.push(text) } });
  next.plays(/^dig/, gate.player);
  await next.start();
  await next.later(SOON_MS);
  expect([next.turns.length, edits]).toEqual([1, []]);
  gate.open("never mind");
  await next.later(SOON_MS);
  expect(edits).toEqual([expect.stringContaining(WITHDRAWN)]);
});

test("a question is open while its turn runs or is to run again, and not where that is only to be written down", async () => {
  const { desk } = await openDesk();
  await desk.says("dig");
  const { read } = desk.store;
  const [asked] = await read.deliveries({ limit: 9 });
  const id = asked?.id.split(/[|.]/)[1] ?? "";
  const isOpen = async (more: Partial<ItemRow>) => {
    const item = async (seq: number) => {
      const row = await read.item(seq);
      return row && { ...row, ...more };
    };
    return (await readQuestion({ ...read, item }, id))?.isOpen;
  };
  expect(await isOpen({})).toBe(true);
  expect(await isOpen({ state: "waiting" })).toBe(true);
  expect(await isOpen({ state: "waiting", wake: "append" })).toBe(false);
  expect(await isOpen({ state: "done" })).toBe(false);
});

test("a channel that edits nothing keeps the question as it stands, as when nobody answers", async () => {
  const desk = await new TreeDesk().plays(/^dig/, digs).start();
  await desk.says("dig");
  await desk.says("/stop");
  await desk.later(SOON_MS);
  expect(desk.heard()).toEqual([expect.stringMatching(/^May I dig\?/), expect.stringMatching(/^Stopped/)]);
  expect(await desk.store.read.timers({ limit: 9 })).toEqual([]);
  expect((await desk.lines(ADA)).filter((line) => line.startsWith("question"))).toHaveLength(1);
});

test("a question whose time is over says so a moment later where its message cannot be changed just then", async () => {
  let isInTheWay = true;
  const edits: Edits = [];
  const edit = async ({ text }: { readonly text: string }) => {
    if (isInTheWay) throw new ChannelError("definite", "A message was edited: something is in the way; try again");
    edits.push(text);
  };
  const { desk } = await openDesk({ edits: { edit } });
  await desk.says("dig");
  await desk.later(ANSWER_MS);
  isInTheWay = false;
  await desk.later(SOON_MS);
  expect(edits).toEqual(["May I dig?\n\n_Nobody answered in time: that is a no._"]);
});
