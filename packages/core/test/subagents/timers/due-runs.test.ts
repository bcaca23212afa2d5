import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelError } from "@banyan/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { faultAt } from "../../turns/desk-fault.ts";
import { aborted } from "../../turns/played-runtime.ts";
import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

const MINUTE_MS = 60_000;

/** Its agent spawns a child called `w` with these arguments for whatever begins with "go". */
async function openDesk(args: object, options: TreeDeskOptions = {}): Promise<TreeDesk> {
  const desk = await new TreeDesk(options).start();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w", ...args });
    return "asked";
  });
  return desk;
}

async function timersOf(desk: TreeDesk): Promise<readonly string[]> {
  return (await desk.store.read.timers({ limit: 99 })).map(({ kind }) => kind);
}

describe("a sub-agent that takes too long", () => {
  it("ends with what it has said, and is told of", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30 });
    desk.plays(/^work/, async ({ call, signal }) => {
      await call("sessions_spawn", { task: "part", label: "p" });
      await call("sessions_spawn", { task: "hang", label: "h" });
      return signal.aborted ? "" : "so far: half";
    });
    desk.plays(/“p”/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    desk.plays(/^hang/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    desk.plays(/“w”/, ({ text }) => `told: ${/ran out of time|timeout/.test(text)}`);
    await desk.says("go");
    await desk.later(29_000);
    expect(desk.heard()).toEqual(["asked"]);
    await desk.later(1_000);
    expect(desk.heard()).toHaveLength(2);
    const [run, ...below] = await desk.runs();
    expect(run).toMatchObject({ state: "ended", endedReason: "timeout", settledBy: "parent" });
    expect(JSON.parse(run?.result ?? "")).toMatchObject({
      outcome: "timeout",
      error: "It took longer than 30 s.",
      result: "so far: half",
    });
    expect(below.map(({ state }) => state)).toEqual(["ended", "ended"]);
    expect((await desk.store.read.lane(run?.childSessionKey ?? "")).active).toEqual([]);
    expect(await timersOf(desk)).not.toContain("timeout");
  });

  it("is told of once where the store does not say at once that it is written", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30, announce: "direct" }, { fault: faultAt("end_runs", "after") });
    desk.plays(/^work/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    await desk.later(30_000);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^⏱ \*\*w\*\* · ran out of time/)]);
    expect(await desk.lines()).toContain("completion: timeout ");
  });

  it("that came to its end in time is left alone", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 30 });
    await desk.says("go");
    await desk.later(MINUTE_MS);
    expect((await desk.runs())[0]?.endedReason).toBe("complete");
    expect(await timersOf(desk)).not.toContain("timeout");
  });

  it("is given its time where the machine's clock jumps", async () => {
    const desk = await openDesk({ runTimeoutSeconds: 300 });
    desk.plays(/^work/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    desk.ports.clock.jump(3_600_000);
    await desk.later(59_999);
    desk.ports.clock.jump(-3_600_000);
    await desk.later(200_000);
    expect((await desk.runs())[0]?.state).toBe("running");
    await desk.later(100_000);
    expect((await desk.runs())[0]?.endedReason).toBe("timeout");
  });
});

describe("a requester that does not answer", () => {
  it("is spoken for after ten minutes, and what it says later is an answer of its own", async () => {
    const desk = await openDesk({});
    const late = Promise.withResolvers<string>();
    desk.plays(/^work/, () => "the result");
    desk.plays(/“w”/, () => late.promise);
    await desk.says("go");
    await desk.later(10 * MINUTE_MS - 1);
    expect(desk.heard()).toEqual(["asked"]);
    await desk.later(1);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^✅ \*\*w\*\* · done in .*\n\nthe result$/s)]);
    expect((await desk.runs())[0]?.settledBy).toBe("host");
    late.resolve("at last");
    await desk.rest();
    expect(desk.sent.map(({ kind }) => kind)).toEqual(["reply", "completion", "reply"]);
    expect(desk.heard().at(-1)).toBe("at last");
    expect(await timersOf(desk)).toEqual(["archive"]);
  });

  it("is spoken for once where the store does not say at once that it is written", async () => {
    const desk = await openDesk({}, { fault: faultAt("announce_run", "after") });
    desk.plays(/“w”/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await desk.says("go");
    await desk.later(11 * MINUTE_MS);
    expect(desk.heard()).toEqual(["asked", expect.stringMatching(/^✅ \*\*w\*\*/)]);
  });
});

describe("a child that is done", () => {
  it("is put away an hour after its end", async () => {
    const desk = await openDesk({});
    await desk.says("go");
    const [run] = await desk.runs();
    await desk.later(60 * MINUTE_MS - 1);
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    await desk.later(1);
    expect((await desk.runs())[0]?.archivedAtMs).toBe(desk.ports.clock.now());
    expect((await desk.store.read.session(run?.childSessionKey ?? ""))?.archivedAtMs).toBeDefined();
    expect(await timersOf(desk)).toEqual([]);
  });

  it("is put away an hour after its end where it took its time, also by another process", async () => {
    const first = await openDesk({});
    const done = Promise.withResolvers<string>();
    first.plays(/^work/, () => done.promise);
    await first.says("go");
    await first.later(90 * MINUTE_MS);
    done.resolve("done");
    await first.rest();
    await first.later(20 * MINUTE_MS);
    first.crash();
    const desk = await new TreeDesk({ data: first.data, ports: first.ports }).start();
    await desk.later(40 * MINUTE_MS - 1);
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    await desk.later(20 * MINUTE_MS);
    expect((await desk.runs())[0]?.archivedAtMs).toBeDefined();
  });

  it("goes right after its announcement, with its files, where it is to be deleted", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "banyan-due-"));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    const desk = await openDesk(
      { cleanup: "delete", attachments: [{ name: "a.txt", content: "text" }] },
      { agents: { main: { runtime: "played", workspace, tools: { deny: [] } } } },
    );
    const done = Promise.withResolvers<string>();
    desk.plays(/^work/, () => done.promise);
    const told = Promise.withResolvers<string>();
    desk.plays(/“w”/, () => told.promise);
    await desk.says("go");
    // The disk takes its time.
    await expect.poll(async () => (await desk.runs())[0]?.state).toBe("running");
    const [run] = await desk.runs();
    const folder = join(workspace, ".banyan", run?.runId ?? "");
    expect(existsSync(join(folder, "a.txt"))).toBe(true);
    await desk.rest();
    done.resolve("done");
    await desk.later(3 * MINUTE_MS);
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    told.resolve("told");
    await desk.later(MINUTE_MS);
    expect((await desk.runs())[0]?.archivedAtMs).toBeDefined();
    await expect.poll(() => existsSync(folder)).toBe(false);
    await expect.poll(() => timersOf(desk)).not.toContain("attachments");
  });

  it("stays, although it is to be deleted, until the chat is told of it with its sibling", async () => {
    const desk = await new TreeDesk().start();
    const slow = Promise.withResolvers<string>();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "quick", label: "q", cleanup: "delete" });
      await call("sessions_spawn", { task: "slow", label: "s" });
      return "asked";
    });
    desk.plays(/^slow/, () => slow.promise);
    desk.plays(/“q”/, () => "NO_REPLY");
    desk.plays(/“s”/, () => "both");
    await desk.says("go");
    await desk.later(3 * MINUTE_MS);
    expect((await desk.runs())[0]).toMatchObject({ state: "ended" });
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    slow.resolve("done");
    await desk.later(MINUTE_MS);
    expect(desk.heard()).toEqual(["asked", "both"]);
    expect((await desk.runs())[0]?.archivedAtMs).toBeDefined();
  });

  it("stays, although it is to be deleted, while the message that tells of it with its sibling is on its way", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^go/, async ({ call }) => {
      for (const label of ["a", "b"]) await call("sessions_spawn", { task: `part ${label}`, label, cleanup: "delete" });
      return "asked";
    });
    desk.plays(/“a”/, () => "NO_REPLY");
    desk.plays(/“b”/, () => "both");
    desk.refuse = ({ kind }) => (kind === "completion" ? new ChannelError("definite", "not now") : undefined);
    await desk.says("go");
    await desk.later(5 * MINUTE_MS);
    expect((await desk.runs()).map(({ archivedAtMs }) => archivedAtMs)).toEqual([undefined, undefined]);
  });

  it("stays while something waits in its lane", async () => {
    const desk = await openDesk({ announce: "direct" });
    await desk.says("go");
    const [run] = await desk.runs();
    const child = run?.childSessionKey ?? "";
    await desk.store.commit({
      step: "enqueue",
      item: {
        lane: child,
        dedupe: "held",
        nativeId: "held",
        kind: "completion",
        address: "",
        body: "{}",
        wake: "turn",
      },
    });
    await desk.later(61 * MINUTE_MS);
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    expect(await timersOf(desk)).toEqual(["archive"]);
  });
});
