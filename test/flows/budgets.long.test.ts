import { call, createGate, report, say, type TurnScript, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const SESSION = "agent:main:webchat:dm:ada";

/** The agent `main`, with what it may use up. */
function configure(budgets: object): { readonly config: Readonly<Record<string, unknown>> } {
  return { config: { agents: { main: { runtime: "scripted", budgets } } } };
}

function spend(inputTokens: number, costUsd?: number): TurnScript {
  return [report({ inputTokens, outputTokens: 0, ...(costUsd === undefined ? {} : { costUsd }) }), ...say("done")];
}

test("a conversation that has used up its tokens is told so, and goes on as a new one", async () => {
  const agent = createScriptedAgent(() => spend(1_200));
  const grove = await openGrove({ ...agent, ...configure({ tokensPerSession: 1_000, reserveTokens: 100 }) });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears(/^⚠ The agent was stopped: this conversation has used 1200 of 1000 tokens; \/new begins a new one/);
  await ada.says("two");
  await ada.hears(
    "⚠ The agent was not asked: this conversation has used 1200 of 1000 tokens; /new begins a new one, or the operator raises agents.main.budgets.tokensPerSession.",
  );
  await ada.says("/new");
  await ada.hears(/A new conversation begins/);
  expect(agent.record.of(SESSION)).toHaveLength(1);
});

test("what was used is known to the next process", async () => {
  const agent = createScriptedAgent(() => spend(600));
  const grove = await openGrove({ ...agent, ...configure({ tokensPerSession: 1_000, reserveTokens: 500 }) });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("done");
  await grove.restart();
  await ada.says("two");
  await ada.hears(/^⚠ The agent was not asked: this conversation has used 600 of 1000 tokens/);
  expect(agent.record.of(SESSION)).toHaveLength(1);
});

test("an agent at work that goes beyond is stopped at once, and what it has said is kept", async () => {
  const agent = createScriptedAgent(() => [
    ...say("so far"),
    report({ inputTokens: 700, outputTokens: 400 }),
    wait(createGate()),
  ]);
  const grove = await openGrove({ ...agent, ...configure({ tokensPerSession: 1_000 }) });
  const ada = grove.web("ada");
  await ada.says("go on for ever");
  await ada.hears(/^so far\n\n⚠ The agent was stopped: this conversation has used 1100 of 1000 tokens/);
  await ada.says("/status");
  await ada.hears(/2 messages · 1100 tokens\n?/);
});

test("sub-agents count in the budget of the tree, and who asked for them is told", async () => {
  const agent = createScriptedAgent((turn) => {
    const isChild = turn.spec.sessionKey !== SESSION;
    if (isChild) return spend(900);
    const [first] = turn.input.input;
    if (first?.kind === "completion") return say("the child is done");
    return [call("sessions_spawn", { task: "count" }), ...say("asked")];
  });
  const grove = await openGrove({ ...agent, ...configure({ tokensPerTree: 1_000, reserveTokens: 200 }) });
  const ada = grove.web("ada");
  await ada.says("count");
  await ada.hears("asked");
  // Its requester may not answer to it any more, so the gateway tells of it.
  await ada.hears(/^✅ \*\*count\*\* · done in .* · 900 tokens\n\ndone$/);
  await ada.says("once more");
  await ada.hears(/^⚠ The agent was not asked: this conversation and its sub-agents have used 900 of 1000 tokens/);
});

test("a person's day counts over new conversations", async () => {
  const agent = createScriptedAgent(() => spend(1_000_000));
  const grove = await openGrove({ ...agent, ...configure({ turnsPerSenderDay: 2 }) });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("done");
  await ada.says("/new two");
  await ada.hears("done");
  await ada.says("three");
  await ada.hears(/^⚠ The agent was not asked: you have used 2 of 2 turns of today; it starts again at midnight UTC/);
  const bob = grove.web("bob");
  await bob.says("one");
  await bob.hears("done");
});

test("a turn that a person stops counts with what it had used", async () => {
  const agent = createScriptedAgent(() => [
    report({ inputTokens: 300, outputTokens: 0, costUsd: 0.25 }),
    ...say("so far"),
    wait(createGate()),
  ]);
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  await ada.says("go");
  await grove.until("the report", () => (agent.record.of(SESSION).length > 0 ? true : undefined));
  await ada.says("/stop");
  await ada.hears(/Stopped/);
  await ada.says("/status");
  await ada.hears(/300 tokens · \$0\.2500/);
});

test("a turn costs what the configuration says of its model, and a conversation costs no more than it may", async () => {
  const agent = createScriptedAgent(() => [
    ...say("done"),
    { step: "end", end: { reason: "done", model: "oak", usage: { inputTokens: 1_000_000, outputTokens: 100_000 } } },
  ]);
  const prices = { oak: { input: 0.25, output: 2.5 } };
  const { agents } = configure({ costUsdPerSession: 0.4 }).config;
  const grove = await openGrove({ ...agent, config: { agents, prices } });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("done");
  await ada.says("/status");
  await ada.hears(/1100000 tokens · \$0\.5000/);
  await ada.says("two");
  await ada.hears(/^⚠ The agent was not asked: this conversation has used \$0\.5000 of \$0\.4000 that it may cost;/);
});

test("what a turn had used before its process died counts once", async () => {
  let isCut = false;
  const agent = createScriptedAgent((turn) => {
    if (turn.input.attempt > 1) return [report({ inputTokens: 20, outputTokens: 0 }), ...say("done")];
    return [
      report({ inputTokens: 400, outputTokens: 0 }),
      call("list_files", { path: "." }),
      report({ inputTokens: 700, outputTokens: 0 }),
      call("list_files", { path: "." }),
      ...say("done"),
    ];
  });
  const cutOff = (point: string) => {
    if (point !== "T3.before" || isCut) return;
    isCut = true;
    throw new Error("cut off");
  };
  const grove = await openGrove({ ...agent, ports: { faultPoint: cutOff } });
  const ada = grove.web("ada");
  await ada.says("look");
  await ada.hears("done");
  expect(agent.record.of(SESSION)).toHaveLength(2);
  await ada.says("/status");
  await ada.hears(/2 messages · 720 tokens/);
});

test("a model without a price of our own is priced by the book that is installed", async () => {
  const usage = { inputTokens: 100_000, outputTokens: 10_000 };
  const agent = createScriptedAgent(() => [
    ...say("done"),
    { step: "end", end: { reason: "done", model: "anthropic/claude-sonnet-4-5", usage } },
  ]);
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("done");
  await ada.says("/status");
  await ada.hears(/110000 tokens · \$0\.4500/);
});

test("a person's day is one sum of all that the records say, over sub-agents, kills, stops and restarts", async () => {
  const agent = createScriptedAgent((turn) => {
    const [{ text, kind } = { text: "", kind: "message" }] = turn.input.input;
    if (kind === "completion") return say("told");
    const first = report({ inputTokens: 900, outputTokens: 0, costUsd: 0.25 });
    if (text === "count") return [first, call("sessions_spawn", { task: "leaf" }), ...say("asked")];
    if (text === "hang") return [call("sessions_spawn", { task: "hang leaf" }), ...say("asked too")];
    if (text.includes("hang leaf") || text === "wait")
      return [report({ inputTokens: 70, outputTokens: 7, costUsd: 0.125 }), ...say("at work"), wait(createGate())];
    return spend(30, 0.5);
  });
  const grove = await openGrove({ ...agent, ...configure({ turnsPerSenderDay: 100 }) });
  const ada = grove.web("ada");
  const day = new Date().toISOString().slice(0, 10);
  const read = () => grove.read((reads) => reads.dayUsed({ subject: "webchat:ada", day }));
  const sum = async () => {
    const rows = await grove.read(async (reads) => {
      const runs = await reads.runs({ limit: 100 });
      const keys = new Set([SESSION, ...runs.map(({ childSessionKey }) => childSessionKey)]);
      return Promise.all([...keys].map((key) => reads.session(key)));
    });
    const days = rows.map((row) => JSON.parse(row?.body ?? "{}").dayUsage ?? { turns: 0 });
    const add = (of: (used: Record<string, number>) => number | undefined) =>
      days.reduce((total, used) => total + (of(used) ?? 0), 0);
    return {
      turns: add(({ turns }) => turns),
      tokens: add(({ tokens }) => tokens),
      costUsd: add((one) => one.costUsd),
    };
  };
  await ada.says("count");
  await ada.hears("told");
  await ada.says("hang");
  await ada.hears("asked too");
  await grove.until("the child", () => (agent.record.attempts.length >= 5 ? true : undefined));
  await ada.says("/kill all");
  await grove.rests();
  expect(await read()).toEqual(await sum());
  await ada.says("wait");
  await grove.until("the turn", () => (agent.record.attempts.length >= 7 ? true : undefined));
  await ada.says("/new");
  await ada.hears(/A new conversation begins/);
  await grove.restart();
  await ada.says("last");
  await ada.hears("done");
  await grove.rests();
  const used = await read();
  expect(used).toEqual(await sum());
  expect(used).toMatchObject({ turns: agent.record.attempts.length, costUsd: expect.any(Number) });
});
