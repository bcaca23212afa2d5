import { describe, expect, it } from "vitest";
import { ADA } from "../tree-desk.ts";
import { BusyDesk, blockOf } from "./busy-desk.ts";
import { bindingsOf, GROVE, HOUR_MS, openFocused, openThread, THREAD, timersOf } from "./focus-desk.ts";

describe("/focus", () => {
  it("turns a conversation to a sub-agent, and /unfocus turns it back", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    expect((await desk.ask("/focus quick")).split("\n")).toEqual([
      "You now talk with **quick** (done in 0.0 s). Commands mean it, too: `/stop` stops it, `/new` resets its conversation.",
      "`/unfocus` leads back to the agent **main**.",
    ]);
    const key = (await desk.runs())[0]?.childSessionKey ?? "";
    expect(await desk.asks("and now?")).toEqual(["re: and now?"]);
    expect((await desk.lines(key)).slice(-2)).toEqual(["user: and now?", "assistant: re: and now?"]);
    expect(await desk.lines()).toEqual(["completion: done re: do it"]);
    expect(await desk.ask("/unfocus")).toBe("Here you talk with the agent again.");
    await desk.says("hello");
    expect((await desk.lines()).slice(-2)).toEqual(["user: hello", "assistant: re: hello"]);
    expect(await bindingsOf(desk)).toEqual([]);
    expect(await timersOf(desk)).toEqual([]);
  });

  it("tells what a person asks for there, in that very chat", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    await desk.ask("/focus quick");
    await desk.says("/spawn --label inner do more");
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*inner\*\* · done in .*\n\nre: do more$/);
    const key = (await desk.runs())[0]?.childSessionKey ?? "";
    expect((await desk.lines(key)).at(-1)).toBe("completion: done re: do more");
  });

  it("stays when the sub-agent's task is done", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words work on words");
    expect(await desk.ask("/focus words")).toContain("(it gets your message when its present turn is over)");
    await desk.ends("words", "12 words");
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*words\*\*/);
    expect(await desk.asks("thanks")).toEqual(["re: thanks"]);
    expect((await desk.lines((await desk.runs())[0]?.childSessionKey)).at(-1)).toBe("assistant: re: thanks");
  });

  it("keeps the sub-agent from being put away until nobody has written for a day", async () => {
    const desk = await openFocused();
    await desk.ports.clock.advance(20 * HOUR_MS);
    expect(await desk.asks("still there?")).toEqual(["re: still there?"]);
    await desk.ports.clock.advance(23 * HOUR_MS);
    expect(await bindingsOf(desk)).toHaveLength(1);
    await desk.ports.clock.advance(2 * HOUR_MS);
    expect(await bindingsOf(desk)).toEqual([]);
    await desk.ports.clock.advance(HOUR_MS);
    expect((await desk.runs())[0]).toHaveProperty("archivedAtMs");
    expect(await desk.ask("/focus quick")).toMatch(/^There is no sub-agent/);
  });

  it("says there whom one talks with, and what hangs below", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words split words a");
    await desk.says("/focus words");
    expect(await desk.ask("/tree")).toMatch(
      /^Here you talk with \*\*words\*\* \(running, 0\.0 s so far\), which hangs below the conversation that asked for it\.\n/,
    );
    expect(blockOf(await desk.ask("/tree"))).toEqual(["└ a   running   0.0 s"]);
    expect(await desk.ask("/status")).toMatch(/^A sub-agent of \*\*main\*\* \(played\), working on an answer/);
    expect(await desk.ask("/focus")).toMatch(/^Here you talk with \*\*words\*\* .*With which one\?/);
    expect(await desk.ask("/focus other")).toMatch(/`\/unfocus` leads back\.\nNothing here is called `other`/);
    await desk.says("/focus a");
    expect(await desk.ask("/tree")).toMatch(
      /^Here you talk with \*\*a\*\* .*which hangs below \*\*words\*\*\.\nNothing hangs below it\.$/,
    );
    expect(await bindingsOf(desk)).toHaveLength(1);
    expect(await timersOf(desk)).toEqual([expect.stringMatching(/^binding-idle\|focus\|\d+ 24 h$/)]);
    expect(await desk.ask("/unfocus")).toContain("**a** goes on: `/tree` shows it, `/kill` stops it.");
    expect(await desk.ask("/tree")).toMatch(/^2 at work, 2 in all/);
  });

  it("begins the sub-agent's conversation anew by /new, and says so; what it is and may do stays", async () => {
    const desk = await openFocused();
    const key = (await desk.runs())[0]?.childSessionKey ?? "";
    const before = JSON.parse((await desk.store.read.session(key))?.body ?? "{}");
    expect(await desk.ask("/new")).toBe(
      "A new conversation with this sub-agent begins; the old one is kept, and `/unfocus` leads back to the agent.",
    );
    const after = JSON.parse((await desk.store.read.session(key))?.body ?? "{}");
    expect(after.sessionId).not.toBe(before.sessionId);
    const { spawnedBy, spawnDepth, spawnLineage, subagentRole, subagentPrompt } = before;
    expect(after).toMatchObject({ spawnedBy, spawnDepth, spawnLineage, subagentRole, subagentPrompt });
    expect([spawnedBy, spawnDepth, spawnLineage]).toEqual([ADA, 1, ["main"]]);
    expect(await bindingsOf(desk)).toHaveLength(1);
    await desk.says("again");
    expect(await desk.lines(key)).toEqual(["user: again", "assistant: re: again"]);
  });

  it("ends by /new what the sub-agent has waited for, and its own task with it", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words split words a b");
    await desk.ends("words", "waiting for two");
    await desk.says("/focus words");
    expect((await desk.runs())[0]?.state).toBe("waiting");
    expect(await desk.asks("/new")).toEqual([
      expect.stringMatching(/^A new conversation with this sub-agent begins.* 2 sub-agents were stopped\.$/),
    ]);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(Array(3).fill("session-reset"));
    expect((await desk.lines()).at(-1)).toBe("completion: killed waiting for two");
  });

  it("lets nobody reach a sub-agent that is not below his own conversation, by no name", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    await desk.says("hello", "bob");
    await desk.says("/spawn --label mine do mine", "bob");
    const [run] = await desk.runs();
    for (const target of ["quick", run?.runId, run?.childSessionKey, run?.runId.slice(0, 8), ADA])
      expect(await desk.ask(`/focus ${target}`, "bob")).toContain("Nothing here is called");
    for (const line of [
      `info ${run?.runId}`,
      `log ${run?.childSessionKey}`,
      `send ${run?.runId} hello`,
      `kill ${run?.runId}`,
    ])
      expect(await desk.ask(`/subagents ${line}`, "bob")).toContain("Nothing here is called");
    expect(await bindingsOf(desk)).toEqual([]);
  });

  it("reaches, once there, only what is below that sub-agent", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label one do one");
    await desk.says("/spawn --label two do two");
    await desk.says("/focus one");
    const [, two] = await desk.runs();
    for (const target of ["two", two?.childSessionKey, ADA])
      expect(await desk.ask(`/focus ${target}`)).toMatch(/^Here you talk with \*\*one\*\* .* It has no sub-agents\.$/);
    expect((await bindingsOf(desk))[0]?.sessionKey).not.toBe(two?.childSessionKey);
  });

  it("is for all who are in a group, and says so", async () => {
    const desk = await new BusyDesk().start();
    await desk.saysAt(GROVE, "/spawn --label quick do it");
    await desk.saysAt(GROVE, "/focus 1");
    expect(desk.heardAt(GROVE).at(-1)).toMatch(/^Everybody here now talks with \*\*quick\*\*/);
    await desk.saysAt(GROVE, "hello", "bob");
    expect((await desk.lines((await desk.runs())[0]?.childSessionKey)).at(-1)).toBe("assistant: re: hello");
    expect(await desk.asks("hello")).toEqual(["re: hello"]);
  });

  it("leaves a sub-agent's thread to it", async () => {
    const desk = await openThread();
    await desk.saysAt(THREAD, "/focus a");
    expect(desk.heardAt(THREAD).at(-1)).toContain("This thread belongs to its sub-agent");
    expect(await bindingsOf(desk)).toMatchObject([{ kind: "thread" }]);
  });

  it("binds once where the answer of the store is lost", async () => {
    let lost = 1;
    const desk = await new BusyDesk({
      fault(step, when) {
        if (step.step !== "command" || step.bind === undefined || when === "before" || lost === 0) return "none";
        lost -= 1;
        return "commit_unknown";
      },
    }).start();
    await desk.says("/spawn --label quick do it");
    await desk.says("/focus quick");
    await desk.ports.clock.advance(10_000);
    await desk.rest();
    expect(desk.heard().filter((text) => text.startsWith("You now talk"))).toHaveLength(1);
    expect(await bindingsOf(desk)).toHaveLength(1);
    expect(await desk.asks("and now?")).toEqual(["re: and now?"]);
  });
});

it("/unfocus frees a sub-agent's thread as well", async () => {
  const desk = await openThread();
  const key = (await desk.runs())[0]?.childSessionKey;
  await desk.ends("helper", "ready");
  await desk.saysAt(THREAD, "one");
  expect((await desk.lines(key)).at(-1)).toBe("assistant: re: one");
  await desk.saysAt(THREAD, "/unfocus");
  expect(desk.heardAt(THREAD).at(-1)).toMatch(/^This thread is free again: \*\*helper\*\*/);
  await desk.saysAt(THREAD, "two");
  expect(await desk.lines("agent:main:irc:group:grove:thread:7")).toEqual(["user: two", "assistant: re: two"]);
  expect(await timersOf(desk)).toEqual([]);
});
