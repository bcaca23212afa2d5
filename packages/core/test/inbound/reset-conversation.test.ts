import { StoreError } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";
import { expect, it } from "vitest";
import { Sessions } from "../../src/sessions/sessions.ts";
import { ADA, addressOf, CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";

const RESET = { sessionKey: ADA, reason: "manual" } as const;

/** A desk on which Ada has said hello, and the public API of its sessions. */
async function openDesk(options: CoreDeskOptions = {}) {
  const desk = await new CoreDesk(options).connect();
  const { store, ports, sessions: cache, inbound } = desk;
  const endConversation = (key: string) => inbound.reset(key);
  const sessions = new Sessions({ store, ports, cache, defaultAgent: "main", endConversation });
  await desk.says("hello");
  return { desk, sessions };
}

it("begins a new conversation under the key, with an id and a file of its own, and says nothing in the chat", async () => {
  const { desk, sessions } = await openDesk();
  const old = await sessions.updateSessionStore(ADA, (entry) => ({ ...entry, label: "garden" }));
  const told: unknown[] = [];
  desk.hooks.session_end.tap("test", (event) => void told.push(event));
  desk.hooks.session_start.tap("test", (event) => void told.push(event));
  const { entry } = await sessions.resolveSessionReset(RESET);
  expect(entry).toMatchObject({ label: "garden", messageCount: 0 });
  expect(entry.sessionId).not.toBe(old.entry.sessionId);
  expect(entry.sessionFile).not.toBe(old.entry.sessionFile);
  expect(told).toMatchObject([
    { sessionId: old.entry.sessionId, reason: "reset" },
    { sessionId: entry.sessionId, reason: "reset" },
  ]);
  await desk.says("next");
  expect(desk.heard()).toEqual(["re: hello", "re: next"]);
  expect(await desk.lines()).toEqual(["user: next", "assistant: re: next"]);
  const lines = await desk.store.read.history({ address: addressOf("ada"), limit: 9 });
  expect(lines?.map(({ body }) => JSON.parse(body).text)).toEqual(["hello", "re: hello", "next", "re: next"]);
});

it("stops a turn that asks for it itself, whose words stay in the old transcript", async () => {
  const { desk, sessions } = await openDesk();
  const old = (await desk.store.read.session(ADA))?.sessionId ?? "";
  const reset = Promise.withResolvers<unknown>();
  desk.runtime.play = async function* ({ signal }) {
    yield { type: "text", delta: "half" };
    sessions.resolveSessionReset(RESET).then(reset.resolve, reset.reject);
    await aborted(signal);
    yield { type: "end", reason: "stopped" };
  };
  await desk.says("begin");
  await reset.promise;
  const rows = await desk.store.read.entries({ sessionId: old, limit: 100 });
  expect(rows.map(({ body }) => JSON.parse(body).content[0].text).slice(2)).toEqual(["begin", "half", "manual"]);
  desk.runtime.play = () => says("fresh");
  await desk.says("next");
  expect(await desk.lines()).toEqual(["user: next", "assistant: fresh"]);
});

it("whose answer from the store is lost is carried out once and known as its own", async () => {
  let lost = 0;
  const fault: CommitFault = (step, when) => {
    if (step.step !== "command" || when !== "after" || lost > 0) return "none";
    lost += 1;
    return "commit_unknown";
  };
  const { desk, sessions } = await openDesk({ fault });
  const { entry } = await sessions.resolveSessionReset(RESET);
  expect([lost, (await desk.store.read.session(ADA))?.sessionId]).toEqual([1, entry.sessionId]);
  expect((await desk.store.read.counts()).waitingItems).toBe(0);
});

it("that a full store does not take begins nothing", async () => {
  const { desk, sessions } = await openDesk({
    fault: (step, when) => (step.step === "enqueue" && when === "before" ? "full" : "none"),
  });
  await expect(sessions.resolveSessionReset(RESET)).rejects.toBeInstanceOf(StoreError);
  await desk.says("next");
  expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello", "user: next", "assistant: re: next"]);
});

it("of a session that is none, or is archived, is refused", async () => {
  const { desk, sessions } = await openDesk();
  await expect(sessions.resolveSessionReset({ sessionKey: "agent:main:main", reason: "manual" })).rejects.toMatchObject(
    { code: "session_not_found" },
  );
  const audit = { actor: "test", action: "sessions-delete", detail: ADA };
  await desk.store.commit({ step: "archive_session", key: ADA, audit });
  await expect(sessions.resolveSessionReset(RESET)).rejects.toMatchObject({ code: "session_not_found" });
});
