import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelError } from "@banyan/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { TreeDesk } from "../tree-desk.ts";
import { MINUTE_MS, openDesk, timersOf } from "./due-desk.ts";

describe("a child that is done", () => {
  it("is put away an hour after it was made, by the timer of its acceptance", async () => {
    const desk = await openDesk({});
    const done = Promise.withResolvers<string>();
    desk.plays(/^work/, () => done.promise);
    await desk.says("go");
    const [run] = await desk.runs();
    await desk.later(50 * MINUTE_MS);
    done.resolve("done");
    await desk.rest();
    expect(desk.heard()).toHaveLength(2);
    await desk.later(10 * MINUTE_MS - 1);
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    await desk.later(1);
    expect((await desk.runs())[0]?.archivedAtMs).toBe((run?.createdAtMs ?? 0) + 60 * MINUTE_MS);
    expect((await desk.store.read.session(run?.childSessionKey ?? ""))?.archivedAtMs).toBeDefined();
    expect(await timersOf(desk)).toEqual([]);
  });

  it("is put away an hour after its end where it was at work longer than that, also by another process", async () => {
    const first = await openDesk({});
    const done = Promise.withResolvers<string>();
    first.plays(/^work/, () => done.promise);
    await first.says("go");
    await first.later(70 * MINUTE_MS);
    done.resolve("done");
    await first.rest();
    await first.later(20 * MINUTE_MS);
    first.crash();
    const desk = await new TreeDesk({ data: first.data, ports: first.ports }).start();
    await desk.later(40 * MINUTE_MS - 1);
    const [run] = await desk.runs();
    expect(run?.archivedAtMs).toBeUndefined();
    await desk.later(1);
    expect((await desk.runs())[0]?.archivedAtMs).toBe((run?.endedAtMs ?? 0) + 60 * MINUTE_MS);
  });

  it("is put away an hour after its end where the chat was told of it too late", async () => {
    const desk = await openDesk({});
    const done = Promise.withResolvers<string>();
    desk.plays(/^work/, () => done.promise);
    desk.plays(/“w”/, () => "told");
    desk.refuse = ({ text }) => (text === "told" ? new ChannelError("definite", "not now") : undefined);
    await desk.says("go");
    await desk.later(50 * MINUTE_MS);
    done.resolve("done");
    await desk.later(15 * MINUTE_MS);
    expect((await desk.runs())[0]).toMatchObject({ state: "ended" });
    expect((await desk.runs())[0]?.archivedAtMs).toBeUndefined();
    desk.refuse = () => undefined;
    const [run] = await desk.runs();
    await desk.later(60 * MINUTE_MS);
    expect((await desk.runs())[0]?.archivedAtMs).toBe((run?.endedAtMs ?? 0) + 60 * MINUTE_MS);
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
