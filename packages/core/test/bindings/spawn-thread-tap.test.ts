import { type Address, ChannelError, type ChannelErrorClass, type ThreadsAbility } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openSpawnThread } from "../../src/bindings/open-spawn-thread.ts";
import { buildRequester } from "../../src/bindings/requester.ts";
import { tapSpawnThread } from "../../src/bindings/spawn-thread-tap.ts";
import { getThreadRules, type ThreadRules } from "../../src/config/shapes/thread-rules.ts";
import { createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { quiet } from "../manual-clock.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { buildSpawning, GROVE, threadOf } from "./spawning-run.ts";

type OpenRequest = Parameters<ThreadsAbility["open"]>[0];

function fail(kind: ChannelErrorClass): Promise<never> {
  return Promise.reject(new ChannelError(kind, "A topic was made: the platform did not; wait"));
}

/** An account with threads, whose platform answers what the test says. */
function createDesk(rules: Partial<ThreadRules> = {}) {
  const passed: string[] = [];
  const ports = createTestPorts({
    scrub: (text) => text.replaceAll("hunter2", "***"),
    faultPoint: (point) => void passed.push(point),
  });
  const hooks = createLifecycleHooks(ports);
  const opened: OpenRequest[] = [];
  const withdrawn: string[] = [];
  const desk = {
    ports,
    hooks,
    opened,
    passed,
    withdrawn,
    withdraw: async (): Promise<void> => undefined,
    answer: async (): ReturnType<ThreadsAbility["open"]> => ({ address: threadOf("7") }),
  };
  const threads: ThreadsAbility = {
    open: (request) => {
      opened.push(request);
      return desk.answer();
    },
    withdraw: async ({ bindingId }) => {
      desk.withdrawn.push(bindingId);
      await desk.withdraw();
    },
    archive: async () => undefined,
    probe: async () => "open",
  };
  const place = { channel: "irc", account: "default" };
  const dispose = tapSpawnThread(hooks, {
    ...place,
    threads,
    rules: { ...getThreadRules(undefined), ...rules },
    ports,
  });
  return Object.assign(desk, { dispose });
}

describe("a spawn that asks for a thread where the account's connection has them", () => {
  it("opens it by the reservation's id, below who asked, with a name and a greeting", async () => {
    const { hooks, opened, passed } = createDesk();
    const spawning = buildSpawning({ label: "census" });
    const bound = { kind: "bound", binding: { id: "b1", address: threadOf("7") } };
    expect(await openSpawnThread(hooks, spawning)).toEqual(bound);
    expect(opened).toEqual([
      { bindingId: "b1", parent: GROVE, name: "census", hello: "🌱 “census” works here; write to it." },
    ]);
    expect(passed).toEqual(["thread.before", "thread.after"]);
  });

  it.each<[string, Partial<ThreadRules>, string | undefined, string]>([
    ["by its label", {}, "census", "census"],
    ["without one by how the task begins", {}, undefined, "count the trees"],
    ["by the task where the rules say so", { nameFrom: "task" }, "census", "count the trees"],
    ["without a secret", {}, "hunter2 census", "*** census"],
  ])("calls it %s", async (_name, rules, label, name) => {
    const { hooks, opened } = createDesk(rules);
    await openSpawnThread(hooks, buildSpawning(label === undefined ? {} : { label }));
    expect(opened.map((request) => request.name)).toEqual([name]);
  });

  it.each([
    ["no thread is asked for", { threadRequested: false }],
    ["nothing was reserved", { bindingId: undefined }],
    ["another account is asked", { requester: buildRequester(threadOf("1", "other")) }],
    ["another channel is asked", { requester: { ...buildRequester(GROVE), channel: "xmpp" } }],
  ])("is left to others where %s", async (_name, more) => {
    const { hooks, opened } = createDesk();
    expect(await openSpawnThread(hooks, JSON.parse(JSON.stringify({ ...buildSpawning(), ...more })))).toEqual({
      kind: "none",
    });
    expect(opened).toEqual([]);
  });

  it("is refused where threads are switched off, and the platform is not asked", async () => {
    const { hooks, opened } = createDesk({ isEnabled: false });
    expect(await openSpawnThread(hooks, buildSpawning())).toEqual({
      kind: "refused",
      error: expect.stringContaining("threads are switched off there (threads.enabled: false)"),
    });
    expect(opened).toEqual([]);
  });

  it("is refused with the platform's reason, and no secret", async () => {
    const desk = createDesk();
    desk.answer = () => Promise.reject(new ChannelError("permanent", "A topic was made: hunter2 says no"));
    expect(await openSpawnThread(desk.hooks, buildSpawning())).toEqual({
      kind: "refused",
      error:
        "A thread was asked for on irc/default: it could not be opened: A topic was made: *** says no; try again later, or spawn without a thread",
    });
    desk.answer = () => Promise.reject("no luck");
    expect(await openSpawnThread(desk.hooks, buildSpawning())).toMatchObject({
      error: expect.stringContaining("could not be opened: no luck;"),
    });
  });

  it.each(["definite", "ambiguous"] as const)(
    "opens with the third try where two end %s, under one id",
    async (kind) => {
      const desk = createDesk();
      const answers = [() => fail(kind), () => fail(kind), async () => ({ address: threadOf("7") })];
      desk.answer = () => (answers.shift() ?? (() => fail(kind)))();
      const asked = openSpawnThread(desk.hooks, buildSpawning());
      await desk.ports.clock.advance(500);
      expect(desk.opened).toHaveLength(2);
      await desk.ports.clock.advance(2_000);
      expect(await asked).toEqual({ kind: "bound", binding: { id: "b1", address: threadOf("7") } });
      expect(desk.opened.map(({ bindingId }) => bindingId)).toEqual(["b1", "b1", "b1"]);
      expect(desk.withdrawn).toEqual([]);
    },
  );

  it("is refused where three tries fail, and is not tried a fourth time", async () => {
    const desk = createDesk();
    desk.answer = () => fail("ambiguous");
    const asked = openSpawnThread(desk.hooks, buildSpawning());
    await desk.ports.clock.advance(500);
    await desk.ports.clock.advance(2_000);
    expect(await asked).toMatchObject({ kind: "refused", error: expect.stringContaining("could not be opened") });
    await desk.ports.clock.advance(60_000);
    expect(desk.opened).toHaveLength(3);
  });

  it.each(["permanent", "chat_gone", "rate_limited", "unauthorized"] as const)(
    "is refused at once where the platform says %s",
    async (kind) => {
      const desk = createDesk();
      desk.answer = () => fail(kind);
      expect(await openSpawnThread(desk.hooks, buildSpawning())).toMatchObject({ kind: "refused" });
      expect(desk.opened).toHaveLength(1);
    },
  );

  it("opens no second time once nobody waits any more, and takes back what there may be", async () => {
    const desk = createDesk();
    const late = Promise.withResolvers<{ address: Address }>();
    desk.answer = () => late.promise;
    const asked = openSpawnThread(desk.hooks, buildSpawning());
    await desk.ports.clock.advance(30_000);
    expect(await asked).toMatchObject({ kind: "refused" });
    late.reject(new ChannelError("ambiguous", "A topic was made: the answer was lost; wait"));
    await quiet();
    await desk.ports.clock.advance(60_000);
    expect([desk.opened.length, desk.withdrawn]).toEqual([1, ["b1"]]);
  });

  it("is refused where the plugin hangs, after half a minute", async () => {
    const desk = createDesk();
    desk.answer = () => new Promise(() => undefined);
    const asked = openSpawnThread(desk.hooks, buildSpawning());
    await desk.ports.clock.advance(30_000);
    expect(await asked).toMatchObject({ kind: "refused", error: expect.stringContaining("hook_failed") });
  });

  it("takes back what the plugin opens too late, when nobody waits for it any more", async () => {
    const desk = createDesk();
    const late = Promise.withResolvers<{ address: Address }>();
    desk.answer = () => late.promise;
    const asked = openSpawnThread(desk.hooks, buildSpawning());
    await desk.ports.clock.advance(30_000);
    expect((await asked).kind).toBe("refused");
    expect(desk.withdrawn).toEqual([]);
    late.resolve({ address: threadOf("7") });
    await quiet();
    expect(desk.withdrawn).toEqual(["b1"]);
  });

  it("says in the log where that fails, and takes nothing back that is in time", async () => {
    const desk = createDesk();
    await openSpawnThread(desk.hooks, buildSpawning());
    expect(desk.withdrawn).toEqual([]);
    const late = Promise.withResolvers<{ address: Address }>();
    desk.answer = () => late.promise;
    desk.withdraw = () => Promise.reject(new Error("no luck"));
    const asked = openSpawnThread(desk.hooks, buildSpawning());
    await desk.ports.clock.advance(30_000);
    await asked;
    late.reject(new ChannelError("ambiguous", "A topic was made: the answer was lost; wait"));
    await quiet();
    expect(desk.ports.logged).toContainEqual(
      expect.objectContaining({ message: "a thread that came too late was not removed" }),
    );
  });

  it("is the plugin's own where that taps, and nobody's once the account is gone", async () => {
    const desk = createDesk();
    const own = { id: "b1", address: threadOf("own") };
    const dispose = desk.hooks.subagent_spawning.tap("own", () => ({
      status: "ok",
      threadBindingReady: true,
      binding: own,
    }));
    expect(await openSpawnThread(desk.hooks, buildSpawning())).toEqual({ kind: "bound", binding: own });
    expect(desk.opened).toEqual([]);
    dispose();
    desk.dispose();
    expect(await openSpawnThread(desk.hooks, buildSpawning())).toEqual({ kind: "none" });
  });
});
