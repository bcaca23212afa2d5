import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { ThreadAccount } from "../timers/thread-account.ts";
import { ADA } from "../tree-desk.ts";
import { BusyDesk } from "./busy-desk.ts";

const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });

function openThreads(desk: BusyDesk): void {
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: THREAD },
  }));
}

describe("/subagents send", () => {
  it("gives a sub-agent that is done more to do, and its answer is told here", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    expect(await desk.asks('/subagents send 1  and don\'t "stop"')).toEqual([
      "Sent to **quick**. Its answer comes here.",
      expect.stringMatching(/^✅ \*\*quick\*\* · done in .*\n\nre: and don't "stop"$/s),
    ]);
    const [first, second] = await desk.runs();
    expect(second).toMatchObject({
      childSessionKey: first?.childSessionKey,
      requesterSessionKey: ADA,
      settledBy: "host",
    });
    expect(await desk.lines(first?.childSessionKey)).toEqual([
      "user: do it",
      "assistant: re: do it",
      'user: and don\'t "stop"',
      'assistant: re: and don\'t "stop"',
    ]);
    expect(await desk.lines()).toEqual(["completion: done re: do it", 'completion: done re: and don\'t "stop"']);
  });

  it("waits behind what the sub-agent is at, and both are answered", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words work on words");
    const answer = "Sent to **words**, which gets it when its present turn is over. Its answer comes here.";
    expect(await desk.asks("/subagents send words hello")).toEqual([answer]);
    await desk.ends("words", "12 words");
    expect(
      desk
        .heard()
        .slice(-2)
        .map((text) => text.split("\n").at(-1)),
    ).toEqual(["12 words", "re: hello"]);
  });

  it("goes to a sub-agent with a thread in its own thread, where it answers", async () => {
    const desk = await new BusyDesk().start();
    openThreads(desk);
    await desk.says("/spawn --thread --mode session --label helper be here");
    expect(await desk.asks("/subagents send helper hello")).toEqual(["Sent to **helper**. It answers in its thread."]);
    expect(desk.heardAt(THREAD).at(-1)).toBe("re: hello");
    expect(await desk.runs()).toHaveLength(1);
  });

  it("goes to one whose thread turns out to be gone as a task of its own, and the place is free", async () => {
    const threads = new ThreadAccount();
    const desk = await new BusyDesk({ threads }).start();
    await desk.says("/spawn --thread --mode session --label helper be here");
    threads.isGone = true;
    expect((await desk.asks("/subagents send helper hello")).map((text) => text.split("\n").at(-1))).toEqual([
      "The thread of **helper** is deleted or closed, or I may not write there any more. `/subagents send` still reaches the sub-agent.",
      "Sent to **helper**. Its answer comes here.",
      "re: hello",
    ]);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
  });

  it("goes to its thread where nobody can say what became of that", async () => {
    const threads = new ThreadAccount();
    const desk = await new BusyDesk({ threads }).start();
    await desk.says("/spawn --thread --mode session --label helper be here");
    threads.isDown = true;
    expect((await desk.asks("/subagents send helper hello"))[0]).toBe("Sent to **helper**. It answers in its thread.");
  });

  it("goes to one that has lost its thread as a task of its own, which is answered here", async () => {
    const desk = await new BusyDesk().start();
    openThreads(desk);
    await desk.says("/spawn --thread --mode session --label helper be here");
    await desk.saysAt(THREAD, "/unfocus");
    expect((await desk.asks("/subagents send helper hello")).map((text) => text.split("\n").at(-1))).toEqual([
      "Sent to **helper**. Its answer comes here.",
      "re: hello",
    ]);
    const sent = (await desk.runs()).at(-1);
    // Nothing of the thread is taken back should this one fail.
    expect(JSON.parse(sent?.body ?? "{}")).not.toHaveProperty("bindingId");
  });

  it("does not put one away that stays for several turns, however often it is written to", async () => {
    const desk = await new BusyDesk().start();
    openThreads(desk);
    await desk.says("/spawn --thread --mode session --label helper be here");
    await desk.saysAt(THREAD, "/unfocus");
    await desk.says("/subagents send helper one");
    await desk.says("/subagents send helper two");
    await desk.later(3 * 3_600_000);
    expect(await desk.asks("/subagents send helper three")).toContain("Sent to **helper**. Its answer comes here.");
    const runs = await desk.runs();
    expect(runs.filter(({ archivedAtMs }) => archivedAtMs !== undefined)).toEqual([]);
    expect(runs.map(({ body }) => JSON.parse(body).mode)).toEqual(["session", "session", "session", "session"]);
  });

  it("is answered anew where the sub-agent is put away at the same moment", async () => {
    let meanwhile: (() => void) | undefined;
    const desk: BusyDesk = await new BusyDesk({
      faultPoint(name) {
        if (name !== "command.before") return;
        meanwhile?.();
        meanwhile = undefined;
      },
    }).start();
    openThreads(desk);
    await desk.says("/spawn --thread --mode session --label helper be here");
    await desk.says("/spawn --label quick do it");
    const audit = { actor: "operator", action: "archive", detail: "" };
    const [helper, quick] = (await desk.runs()).map(({ childSessionKey }) => childSessionKey);
    const putAway = (key = "") => void desk.store.commit({ step: "archive_session", key, audit });
    const answer = (name: string) => `The conversation of **${name}** is archived; \`/spawn\` starts a new one.`;
    meanwhile = () => putAway(helper);
    expect(await desk.asks("/subagents send helper hello")).toEqual([answer("helper")]);
    meanwhile = () => putAway(quick);
    expect(await desk.asks("/focus quick")).toEqual([answer("quick")]);
    expect(await desk.asks("/subagents send quick hello")).toEqual([answer("quick")]);
    expect((await desk.store.read.counts()).unfinishedRuns).toBe(0);
  });

  it("from a conversation that is turned to a sub-agent is answered there, and that one knows of it", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words split words a");
    await desk.ends("words", "waiting for a");
    await desk.says("/focus words");
    const order = "Sent to **a**, which gets it when its present turn is over.";
    expect(await desk.asks("/subagents send a hello")).toEqual([`${order} Its answer comes here.`]);
    await desk.ends("a", "12");
    expect(desk.heard().at(-1)).toMatch(/re: hello$/);
    const [words, , sent] = await desk.runs();
    expect(sent).toMatchObject({ requesterSessionKey: words?.childSessionKey, toldSessionKey: words?.childSessionKey });
    expect((await desk.lines(words?.childSessionKey)).join()).toContain("completion: done re: hello");
  });

  it("asks for what is missing, and steers only who is at work", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    expect(await desk.ask("/subagents send")).toContain("To whom, and what?");
    expect(await desk.ask("/subagents send quick")).toBe("What shall I tell **quick**? `/subagents send quick <text>`");
    expect(await desk.ask("/subagents send nobody hello")).toContain("Nothing here is called `nobody`.");
    expect(await desk.runs()).toHaveLength(1);
  });

  it("counts as one at work: more than may be are refused", async () => {
    const desk = await new BusyDesk({ subagents: { maxChildrenPerAgent: 2 } }).start();
    await desk.says("/spawn --label one work on one");
    await desk.says("/spawn --label two work on two");
    expect(await desk.ask("/subagents send 1 hello")).toMatch(
      /^⚠ 2 sub-agents of this conversation are at work already/,
    );
    expect(await desk.runs()).toHaveLength(2);
  });

  it("counts in its tree: more than may be are refused, until one is done", async () => {
    const desk = await new BusyDesk({ options: { limits: { maxTreeRuns: 1 } } }).start();
    await desk.says("/spawn --label one work on one");
    expect(await desk.ask("/subagents send 1 hello")).toMatch(/^⚠ As many sub-agents as may be are at work already/);
    await desk.ends("one", "done");
    expect(await desk.asks("/subagents send 1 hello")).toEqual([
      "Sent to **one**. Its answer comes here.",
      expect.stringMatching(/re: hello$/),
    ]);
  });

  it("is sent once where the answer of the store is lost, and once where the process dies before the command's end", async () => {
    let lost = true;
    const desk = await new BusyDesk({
      fault(step, when) {
        if (step.step !== "command" || step.accept === undefined || when === "before" || !lost) return "none";
        lost = false;
        return "commit_unknown";
      },
    }).start();
    desk.plays(/^do it/, () => "did it");
    await desk.says("/spawn --label quick do it");
    await desk.ports.clock.advance(10_000);
    lost = true;
    await desk.says("/subagents send quick hello");
    await desk.ports.clock.advance(10_000);
    await desk.rest();
    expect(desk.heard().filter((text) => text.endsWith("re: hello"))).toHaveLength(1);
    expect(await desk.runs()).toHaveLength(2);
  });

  it("takes up what it had reserved before the process died", async () => {
    let dies = false;
    const first = await new BusyDesk({
      faultPoint(name) {
        if (dies && name === "T1a.after") throw new Error("it dies here");
      },
    }).start();
    await first.says("/spawn --label quick do it");
    dies = true;
    await first.says("/subagents send last hello");
    expect((await first.runs()).map(({ state }) => state)).toEqual(["ended", "reserved"]);
    const second = await new BusyDesk({ data: first.data }).start();
    await second.rest();
    const told = (await second.runs()).filter(({ endedReason }) => endedReason !== "spawn-failed");
    expect(told.map(({ state }) => state)).toEqual(["ended", "ended"]);
    expect(second.heard().map((text) => text.split("\n").at(-1))).toEqual([
      "Sent to **quick**. Its answer comes here.",
      "re: hello",
    ]);
  });
});
