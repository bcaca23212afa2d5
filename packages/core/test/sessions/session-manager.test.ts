import type { Store } from "@banyan/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSystemClock } from "../../src/ports/ports.ts";
import { buildSessionFileName } from "../../src/sessions/keys/session-file-name.ts";
import { SessionManager } from "../../src/sessions/session-manager.ts";
import { resolveSessionTranscriptFile } from "../../src/sessions/transcript-file.ts";
import { openTestStore } from "../open-test-store.ts";

const STATE_DIR = "/srv/banyan";
const KEY = "agent:con:irc:dm:ada";
const SESSION_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const FILE = resolveSessionTranscriptFile({ stateDir: STATE_DIR, sessionKey: KEY, sessionId: SESSION_ID });

async function openStore(): Promise<Store> {
  const store = openTestStore({});
  onTestFinished(() => store.close());
  await writeSession(store, SESSION_ID, 0);
  return store;
}

function writeSession(store: Store, sessionId: string, expectRevision: number) {
  const file = buildSessionFileName(KEY, sessionId);
  const session = { key: KEY, agentId: "con", sessionId, file, expectRevision, body: "{}" };
  return store.commit({ step: "write_session", writeId: sessionId, session });
}

function partsOf(store: Store, stateDir: string = STATE_DIR) {
  let ids = 0;
  return {
    store,
    stateDir,
    ports: { clock: { ...createSystemClock(), now: () => 42 }, createId: () => `id-${++ids}` },
  };
}

describe("SessionManager", () => {
  it("finds the session that owns the file, and appends through the store", async () => {
    const store = await openStore();
    const session = await SessionManager.open(FILE, partsOf(store));
    expect(session).toMatchObject({ sessionKey: KEY, sessionId: SESSION_ID, file: FILE });
    expect(await session.appendMessage({ role: "user", content: "hello" })).toBe("id-1");
    const [entry] = await store.read.entries({ sessionId: SESSION_ID, limit: 10 });
    expect(JSON.parse(entry?.body ?? "")).toEqual({
      seq: 1,
      id: "id-1",
      timestamp: 42,
      kind: "message",
      role: "user",
      content: [{ type: "text", text: "hello" }],
    });
  });

  it("keeps parts and what the message says of itself, and writes an id once", async () => {
    const store = await openStore();
    const session = await SessionManager.open(FILE, partsOf(store));
    const message = {
      role: "assistant",
      id: "mine",
      timestamp: 7,
      provider: "demo",
      content: [{ type: "text", text: "for the operator", audience: ["operator"] }],
    } as const;
    await session.appendMessage(message);
    await session.appendMessage(message);
    const rows = await store.read.entries({ sessionId: SESSION_ID, limit: 10 });
    expect(rows.map((row) => JSON.parse(row.body))).toEqual([{ seq: 1, kind: "message", ...message }]);
  });

  it.each([
    ["another state directory", FILE.replace("/srv/banyan", "/srv/other")],
    ["a folder that is not the agent's", FILE.replace("/con+/", "/con/")],
    ["a file that no session has", `${STATE_DIR}/agents/con+/sessions/x.jsonl`],
  ])("finds no owner for %s", async (_name, file) => {
    const store = await openStore();
    await expect(SessionManager.open(file, partsOf(store))).rejects.toMatchObject({ code: "session_not_found" });
  });

  it("does not take the file of a session that was reset for the present one", async () => {
    const store = await openStore();
    await writeSession(store, "1f8fad5b-d9cb-469f-a165-70867728950e", 1);
    await expect(SessionManager.open(FILE, partsOf(store))).rejects.toThrow(/no session below \/srv\/banyan writes it/);
  });
});
