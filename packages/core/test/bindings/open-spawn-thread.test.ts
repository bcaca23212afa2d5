import type { SpawningAnswer } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openSpawnThread } from "../../src/bindings/open-spawn-thread.ts";
import { createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { buildSpawning, GROVE, threadOf } from "./spawning-run.ts";

const OK = { status: "ok", threadBindingReady: true, binding: { id: "b1", address: threadOf("7") } } as const;
const UNUSABLE =
  "A thread was asked for on irc/default: no thread could be created or bound, because the plugin's answer was none that can be used; spawn without a thread, and tell the plugin's author";

/** Asks with one tap that answers so. */
function ask(answer: unknown, more = {}) {
  const hooks = createLifecycleHooks(createTestPorts());
  hooks.subagent_spawning.tap("own", (): SpawningAnswer | undefined =>
    answer === undefined ? undefined : JSON.parse(JSON.stringify(answer)),
  );
  return openSpawnThread(hooks, buildSpawning(more));
}

describe("what a tap answers to a spawn that asks for a thread", () => {
  it("a binding: the thread is the child's", async () => {
    expect(await ask(OK)).toEqual({ kind: "bound", binding: { id: "b1", address: threadOf("7") } });
  });

  it("a binding under an id of its own: the reservation's counts", async () => {
    const binding = { ...OK.binding, id: "mine" };
    expect(await ask({ ...OK, binding })).toEqual({ kind: "bound", binding: { id: "b1", address: threadOf("7") } });
  });

  it("a refusal: its sentence is passed on", async () => {
    expect(await ask({ status: "error", error: " This group has no topics. " })).toEqual({
      kind: "refused",
      error: "This group has no topics.",
    });
  });

  it("a refusal without end: as much of it as anybody reads", async () => {
    const refused = await ask({ status: "error", error: `${"x".repeat(999)}🌱` });
    expect(refused).toEqual({ kind: "refused", error: `${"x".repeat(999)}\ufffd` });
  });

  it("nothing: nobody there binds threads", async () => {
    expect(await ask(undefined)).toEqual({ kind: "none" });
    expect(await openSpawnThread(createLifecycleHooks(createTestPorts()), buildSpawning())).toEqual({ kind: "none" });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a text", "ok"],
    ["true", true],
    ["nothing in it", {}],
    ["a list", [OK]],
    ["another status", { ...OK, status: "done" }],
    ["ok alone", { status: "ok" }],
    ["ok that is not ready", { ...OK, threadBindingReady: false }],
    ["ok that does not say so", { status: "ok", binding: OK.binding }],
    ["ok that is ready in words", { ...OK, threadBindingReady: "true" }],
    ["ok without a binding", { status: "ok", threadBindingReady: true }],
    ["a binding without an id", { ...OK, binding: { address: threadOf("7") } }],
    ["a binding with an empty id", { ...OK, binding: { ...OK.binding, id: "" } }],
    ["a binding with a number as id", { ...OK, binding: { ...OK.binding, id: 5 } }],
    ["a binding without an address", { ...OK, binding: { id: "b1" } }],
    ["a binding to no address", { ...OK, binding: { id: "b1", address: "thread 7" } }],
    ["a binding to what only looks like one", { ...OK, binding: { id: "b1", address: "irc/default/group/%zz" } }],
    ["the requester's own conversation", { ...OK, binding: { id: "b1", address: GROVE } }],
    ["a place of another account", { ...OK, binding: { id: "b1", address: threadOf("7", "other") } }],
    ["a place of another channel", { ...OK, binding: { id: "b1", address: "xmpp/default/group/grove/7" } }],
    ["a refusal without a reason", { status: "error" }],
    ["a refusal with an empty reason", { status: "error", error: "  " }],
    ["a refusal with a number", { status: "error", error: 404 }],
  ])("%s: no thread could be created or bound", async (_name, answer) => {
    expect(await ask(answer)).toEqual({ kind: "refused", error: UNUSABLE });
  });

  it("a throw, or no end: refused as hook_failed, with what to do", async () => {
    const ports = createTestPorts();
    const hooks = createLifecycleHooks(ports);
    const dispose = hooks.subagent_spawning.tap("own", () => {
      throw new Error("no luck");
    });
    const failed = {
      kind: "refused",
      error:
        "A thread was asked for on irc/default: the plugin failed or gave no answer in time (hook_failed); try again later, or spawn without a thread",
    };
    expect(await openSpawnThread(hooks, buildSpawning())).toEqual(failed);
    dispose();
    hooks.subagent_spawning.tapPromise("own", () => new Promise(() => undefined));
    const asked = openSpawnThread(hooks, buildSpawning());
    await ports.clock.advance(10_000);
    expect(await asked).toEqual(failed);
  });
});
