import { expect, it } from "vitest";
import { formatInnerBody } from "../../src/lanes/item-body.ts";
import { aborted } from "../turns/played-runtime.ts";
import { ADA, addressOf, TreeDesk } from "./tree-desk.ts";

it("/new stops what the conversation has asked for, says so, and brings nothing of it into the next", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^go/, async ({ call }) => {
    for (const label of ["a", "b"]) await call("sessions_spawn", { task: `work ${label}`, label });
    return "two are at work";
  });
  desk.plays(/^work a/, async ({ call, signal }) => {
    await call("sessions_spawn", { task: "leaf", label: "l" });
    await aborted(signal);
    return "";
  });
  desk.plays(/^(work b|leaf)/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  await desk.says("go");
  const before = await desk.store.read.session(ADA);
  await desk.says("/new");
  await desk.later(11 * 60_000);
  const ends = (await desk.runs()).map(({ body, state, endedReason, settledBy }) => [
    JSON.parse(body).label,
    `${state} ${endedReason} ${settledBy}`,
  ]);
  expect(Object.fromEntries(ends)).toEqual({
    a: "ended session-reset host",
    l: "ended killed nobody",
    b: "ended session-reset host",
  });
  expect(desk.heard()).toHaveLength(2);
  expect(desk.heard().at(-1)).toBe("A new conversation begins; the old one is kept. 3 sub-agents were stopped.");
  const after = await desk.store.read.session(ADA);
  expect(after?.sessionId).not.toBe(before?.sessionId);
  desk.plays(/^hello/, async ({ input }) => `${(await input.history()).length} before`);
  await desk.says("hello");
  expect(desk.heard().at(-1)).toBe("0 before");
  const kept = [before, after].map((row) => desk.store.read.entries({ sessionId: row?.sessionId ?? "", limit: 99 }));
  const completions = (await Promise.all(kept)).map((rows) => rows.filter(({ body }) => body.includes('"completion"')));
  expect(completions.map((rows) => rows.length)).toEqual([2, 0]);
  expect(desk.gateway.load.turns).toBe(0);
});

it("completions of an old and of the present conversation that wait together go to their own transcripts", async () => {
  const desk = await new TreeDesk().start();
  const done = Promise.withResolvers<string>();
  desk.plays(/^hang/, () => done.promise);
  await desk.says("first");
  const old = (await desk.store.read.session(ADA))?.sessionId ?? "";
  await desk.says("/new");
  await desk.says("hang");
  const enqueue = async (runId: string, more: { readonly sessionId?: string }) => {
    const completion = {
      runId,
      childSessionKey: runId,
      task: runId,
      outcome: "killed",
      result: "",
      durationMs: 0,
    } as const;
    const id = `completion|${runId}`;
    const body = formatInnerBody({ id, text: "", sender: { id: runId }, at: 0, completion, ...more });
    const item = { lane: ADA, dedupe: id, nativeId: id, kind: "completion", address: addressOf("ada"), body } as const;
    await desk.store.commit({ step: "enqueue", item: { ...item, wake: "append" } });
  };
  await enqueue("present", {});
  await enqueue("gone", { sessionId: old });
  done.resolve("done");
  await desk.rest();
  const present = (await desk.store.read.session(ADA))?.sessionId ?? "";
  const kept = await Promise.all([old, present].map((sessionId) => desk.store.read.entries({ sessionId, limit: 99 })));
  const runIds = kept.map((rows) => rows.flatMap(({ body }) => /"runId":"(\w+)"/.exec(body)?.[1] ?? []));
  expect(runIds).toEqual([["gone"], ["present"]]);
});
