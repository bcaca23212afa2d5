import { formatAddress, type LifecycleHooks } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createHookView, createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { createTestPorts } from "../ports/test-ports.ts";

type Kind = "observer" | "bail" | "waterfall";

/** The table of the design; the type asks for each hook of the contract. */
const KINDS: Readonly<Record<keyof LifecycleHooks, Kind>> = {
  gateway_start: "observer",
  gateway_stop: "observer",
  session_start: "observer",
  session_end: "observer",
  message_received: "observer",
  message_sending: "waterfall",
  before_turn: "waterfall",
  after_turn: "observer",
  before_tool_call: "bail",
  after_tool_call: "waterfall",
  before_compaction: "waterfall",
  after_compaction: "observer",
  subagent_spawning: "bail",
  subagent_spawned: "observer",
  subagent_ended: "observer",
  subagent_delivery_target: "bail",
  announce: "bail",
};

type LooseTap = (name: string, tap: (payload: unknown) => unknown) => () => void;
type LooseCall = (payload: object) => Promise<unknown>;

const ADDRESS = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" });
const MESSAGE = { sessionKey: "agent:main:irc:dm:ada", address: ADDRESS, kind: "reply", text: "hello" } as const;
const TURN = { sessionKey: "agent:main:irc:dm:ada", sessionId: "s", agentId: "main", turnId: "t" };
const TOOL = { ...TURN, call: { ordinal: 0, name: "read_file", args: {} } };

describe("the list of hooks", () => {
  it.each(Object.entries(KINDS))("%s is a %s", async (name, kind) => {
    const hooks = createLifecycleHooks(createTestPorts());
    const tap: LooseTap = Reflect.get(Reflect.get(hooks, name), "tap");
    const call: LooseCall = Reflect.get(Reflect.get(hooks, name), "call");
    const seen: unknown[] = [];
    const answer = { text: "changed", context: [{ label: "a", text: "b" }], instructions: "briefly" };
    for (const tapName of ["first", "second"]) {
      tap(tapName, (payload) => {
        seen.push(payload);
        return answer;
      });
    }
    const payload = { marker: 1 };
    const result = await call(payload);
    expect(seen[0]).toBe(payload);
    if (kind === "bail") {
      expect(seen).toHaveLength(1);
      expect(result).toBe(answer);
    } else if (kind === "observer") {
      expect(seen).toEqual([payload, payload]);
      expect(result).toBeUndefined();
    } else {
      expect(seen[1]).toMatchObject({ marker: 1 });
      expect(seen[1]).not.toEqual(payload);
      expect(result).toMatchObject({ marker: 1 });
    }
  });

  it("holds nothing beside them", () => {
    expect(Object.keys(createLifecycleHooks(createTestPorts())).sort()).toEqual(Object.keys(KINDS).sort());
  });
});

describe("what a tap that throws does", () => {
  function create() {
    return createLifecycleHooks(createTestPorts());
  }
  function fails(): never {
    throw new Error("no luck");
  }

  it("message_sending: it is passed over; a required one cancels", async () => {
    const hooks = create();
    hooks.message_sending.tap("bad", fails);
    hooks.message_sending.tap("loud", ({ text }) => ({ text: text.toUpperCase() }));
    expect(await hooks.message_sending.call(MESSAGE)).toEqual({ ...MESSAGE, text: "HELLO" });
    hooks.message_sending.tap({ name: "censor", isRequired: true }, fails);
    expect(await hooks.message_sending.call(MESSAGE)).toMatchObject({ cancelled: "the required tap censor failed" });
  });

  it("message_sending: a cancel stands, whatever later taps say", async () => {
    const hooks = create();
    hooks.message_sending.tap("censor", () => ({ cancel: "not this" }));
    hooks.message_sending.tap("loud", () => ({ text: "anyway" }));
    expect(await hooks.message_sending.call(MESSAGE)).toMatchObject({ cancelled: "not this" });
  });

  it("before_turn adds up, after_tool_call replaces", async () => {
    const hooks = create();
    hooks.before_turn.tap("a", () => ({ context: [{ label: "a", text: "1" }] }));
    hooks.before_turn.tap("bad", fails);
    hooks.before_turn.tap("b", () => ({ context: [{ label: "b", text: "2" }] }));
    expect((await hooks.before_turn.call(TURN)).context?.map(({ label }) => label)).toEqual(["a", "b"]);
    hooks.after_tool_call.tap("mask", ({ result }) => ({ ...result, text: `${result.text}!` }));
    hooks.after_tool_call.tap("bad", fails);
    const { result } = await hooks.after_tool_call.call({ ...TOOL, result: { text: "file", isError: false } });
    expect(result).toEqual({ text: "file!", isError: false });
  });

  it("before_tool_call: the call is refused", async () => {
    const hooks = create();
    hooks.before_tool_call.tap("guard", fails);
    expect(await hooks.before_tool_call.call(TOOL)).toEqual({ refused: "the check guard failed" });
  });

  it("subagent_spawning refuses, subagent_delivery_target falls back, announce throws on", async () => {
    const hooks = create();
    const run = { runId: "r", childSessionKey: "c", requesterSessionKey: "p" };
    const completion = {
      childSessionKey: "agent:main:subagent:r",
      task: "t",
      runId: "r",
      outcome: "done",
      result: "",
      durationMs: 1,
    } as const;
    hooks.subagent_spawning.tap("bad", fails);
    hooks.subagent_delivery_target.tap("bad", fails);
    hooks.announce.tap("bad", fails);
    const requester = { channel: "irc", accountId: "default", to: "ada", address: ADDRESS };
    const spawning = { ...run, agentId: "main", task: "t", mode: "run", threadRequested: true, requester } as const;
    expect(await hooks.subagent_spawning.call(spawning)).toEqual({ status: "error", error: "hook_failed" });
    expect(await hooks.subagent_delivery_target.call({ ...run, completion, target: ADDRESS })).toBeUndefined();
    const delivery = { id: "d", part: 0, of: 1, attempt: 1, createdAt: 0, mayHaveArrived: false };
    await expect(hooks.announce.call({ ...run, completion, target: ADDRESS, text: "x", delivery })).rejects.toThrow(
      "no luck",
    );
  });
});

describe("an owner's view", () => {
  it("has each hook, gives taps the owner's name, and takes all of them away", async () => {
    const ports = createTestPorts();
    const hooks = createLifecycleHooks(ports);
    const view = createHookView(hooks, "irc/default");
    expect(Object.keys(view.hooks).sort()).toEqual(Object.keys(KINDS).sort());
    const failing = () => {
      throw new Error("no luck");
    };
    view.hooks.gateway_start.tap("a", failing);
    view.hooks.gateway_start.tap({ name: "b" }, failing);
    view.hooks.gateway_start.tapPromise("c", async () => failing());
    view.hooks.gateway_start.tapPromise({ name: "d" }, async () => failing());
    const others: string[] = [];
    hooks.gateway_start.tap("other", () => void others.push("other"));
    await hooks.gateway_start.call({ at: 1 });
    const names = ports.logged.map(({ fields }) => String(Reflect.get(fields, "tap")));
    expect(names.sort()).toEqual(["a", "b", "c", "d"].map((name) => `irc/default:${name}`));
    view.dispose();
    await hooks.gateway_start.call({ at: 2 });
    expect(ports.logged).toHaveLength(4);
    expect(others).toHaveLength(2);
  });

  it.each(Object.keys(KINDS))("%s taps the hook of that name", async (name) => {
    const hooks = createLifecycleHooks(createTestPorts());
    const view = createHookView(hooks, "irc");
    const tap: LooseTap = Reflect.get(Reflect.get(view.hooks, name), "tap");
    const call: LooseCall = Reflect.get(Reflect.get(hooks, name), "call");
    const calls: unknown[] = [];
    const dispose = tap("mine", (payload) => void calls.push(payload));
    await call({});
    dispose();
    await call({});
    expect(calls).toHaveLength(1);
  });
});
