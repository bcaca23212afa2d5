import type { SessionEntry } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createSessionCache } from "../../src/sessions/session-cache.ts";
import { parseSessionRow } from "../../src/sessions/session-record.ts";
import { Sessions } from "../../src/sessions/sessions.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";

function open(store: Store = openTestStore()) {
  const ports = createTestPorts();
  const cache = createSessionCache();
  const parts = { store, ports, cache, defaultAgent: "main", endConversation: async () => false };
  return { store, ports, cache, sessions: new Sessions(parts) };
}

/** A store before whose commits somebody else is quicker, so often. */
function createContested(times: number): Store {
  const store = openTestStore();
  let left = times;
  const contested: Store = {
    ...store,
    commit: async (step) => {
      if (step.step === "write_session" && step.session.expectRevision > 0 && left > 0) {
        left -= 1;
        const row = await store.read.session(step.session.key);
        const body: SessionEntry = JSON.parse(row?.body ?? "{}");
        const changed = { ...step.session, body: JSON.stringify({ ...body, label: `other ${left}` }) };
        await store.commit({ step: "write_session", writeId: `other ${left}`, session: changed });
      }
      return store.commit(step);
    },
  };
  return contested;
}

describe("resolveSession", () => {
  it.each([
    ["nothing: the agent's main session", {}, "agent:main:main"],
    ["an agent", { agentId: "coding" }, "agent:coding:main"],
    ["a key", { sessionKey: "agent:coding:irc:dm:7" }, "agent:coding:irc:dm:7"],
    ["a key typed by hand", { sessionKey: " AGENT:Main:irc:direct:7 " }, "agent:main:irc:dm:7"],
    ["the global key", { sessionKey: "global" }, "global"],
    ["a place", { to: "irc:dm:7" }, "agent:main:irc:dm:7"],
    ["a place of an agent", { to: "irc:group:-1:thread:5", agentId: "coding" }, "agent:coding:irc:group:-1:thread:5"],
    ["a key, whatever place is named beside it", { sessionKey: "main", to: "irc:dm:7" }, "agent:main:main"],
  ])("makes the session that is named by %s, and finds it again", async (_name, query, key) => {
    const { sessions, store } = open();
    const made = await sessions.resolveSession(query);
    expect(made).toMatchObject({ key, revision: 1, isNew: true, entry: { messageCount: 0 } });
    expect(made.agentId).toBe(key.startsWith("agent:coding") ? "coding" : "main");
    const found = await sessions.resolveSession({ sessionKey: key });
    expect(found).toEqual({ ...made, isNew: false });
    expect(await sessions.resolveSession({ sessionId: made.entry.sessionId, sessionKey: "other" })).toEqual(found);
    expect((await store.read.counts()).sessions).toBe(1);
  });

  it("only finds by id, and never makes one", async () => {
    const { sessions, store } = open();
    await expect(sessions.resolveSession({ sessionId: "none" })).rejects.toMatchObject({
      code: "session_not_found",
      message: 'A session was looked up: none has the sessionId "none"; banyan sessions list shows them',
    });
    expect((await store.read.counts()).sessions).toBe(0);
  });

  it.each(["", "agent:main", "irc:dm:7", "agent:main:a b", "unknown"])("takes %j for no key", async (sessionKey) => {
    const { sessions, store } = open();
    await expect(sessions.resolveSession({ sessionKey })).rejects.toMatchObject({ code: "invalid_session_key" });
    expect((await store.read.counts()).sessions).toBe(0);
  });

  it("gives both the same session when two ask at once, and tells one that it is new", async () => {
    const { sessions } = open();
    const [first, second] = await Promise.all([sessions.resolveSession({}), sessions.resolveSession({})]);
    expect(first.entry.sessionId).toBe(second.entry.sessionId);
    expect([first.isNew, second.isNew].sort()).toEqual([false, true]);
  });

  it("makes one session when the end of the writing is not known", async () => {
    let faults = 1;
    const fault = (_step: unknown, when: string) => {
      if (when !== "after" || faults === 0) return "none";
      faults -= 1;
      return "commit_unknown";
    };
    const { sessions } = open(openTestStore({ fault }));
    expect(await sessions.resolveSession({})).toMatchObject({ isNew: true, revision: 1 });
  });
});

describe("updateSessionStore", () => {
  it("writes what the updater makes of the present record, and the cache asks anew", async () => {
    const { sessions, store, cache } = open();
    const { key } = await sessions.resolveSession({});
    cache.accept(key, await store.read.session(key));
    const written = await sessions.updateSessionStore(key, (entry) => ({ ...entry, label: "garden" }));
    expect(written).toMatchObject({ key, revision: 2, entry: { label: "garden" } });
    const row = await store.read.session(key);
    expect(row && parseSessionRow(row)).toEqual(written);
    expect(cache.find(key)).toBeUndefined();
  });

  it("begins again with the fresh record when somebody else was quicker", async () => {
    const { sessions } = open(createContested(4));
    await sessions.resolveSession({});
    const seen: (string | undefined)[] = [];
    const written = await sessions.updateSessionStore("agent:main:main", (entry) => {
      seen.push(entry.label);
      return { ...entry, thinkingLevel: "high" };
    });
    expect(seen).toEqual([undefined, "other 3", "other 2", "other 1", "other 0"]);
    expect(written.entry).toMatchObject({ label: "other 0", thinkingLevel: "high" });
  });

  it("gives up after five times", async () => {
    const { sessions } = open(createContested(5));
    await sessions.resolveSession({});
    let calls = 0;
    const update = (entry: SessionEntry) => {
      calls += 1;
      return { ...entry, thinkingLevel: "high" };
    };
    await expect(sessions.updateSessionStore("agent:main:main", update)).rejects.toMatchObject({
      code: "store_conflict",
    });
    expect(calls).toBe(5);
  });

  it("knows no session of another key, and writes nothing when the updater throws", async () => {
    const { sessions, store } = open();
    await expect(sessions.updateSessionStore("agent:main:main", (entry) => entry)).rejects.toMatchObject({
      code: "session_not_found",
    });
    await sessions.resolveSession({});
    const fails = () => {
      throw new Error("no luck");
    };
    await expect(sessions.updateSessionStore("agent:main:main", fails)).rejects.toThrow("no luck");
    expect((await store.read.session("agent:main:main"))?.revision).toBe(1);
  });

  it("adds what a run used", async () => {
    const { sessions } = open();
    const { key } = await sessions.resolveSession({});
    const figures = {
      now: 9,
      policy: "touch-activity",
      messages: 2,
      toolCalls: 0,
      isFailed: false,
      usage: { inputTokens: 3 },
    } as const;
    await sessions.updateSessionStoreAfterAgentRun(key, figures);
    expect((await sessions.updateSessionStoreAfterAgentRun(key, figures)).entry).toMatchObject({
      messageCount: 4,
      inputTokens: 6,
      lastInteractionAt: 9,
    });
  });
});
