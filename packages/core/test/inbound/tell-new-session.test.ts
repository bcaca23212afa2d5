import { expect, it } from "vitest";
import { createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { tellNewSession } from "../../src/inbound/tell-new-session.ts";
import { openTestData, openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";

const OFFERED = { key: "agent:main:main", agentId: "main", file: "f.jsonl", expectRevision: 0, body: "{}" };

it.each([
  ["is told of where the record offered with a message is the one that stands", "first", ["first"]],
  ["is not told of where another message's stood already", "second", []],
])("a new session %s", async (_, sessionId, told) => {
  const ports = createTestPorts();
  const store = openTestStore({ clock: ports.clock, data: openTestData() });
  await store.commit({ step: "write_session", writeId: "w", session: { ...OFFERED, sessionId: "first" } });
  const hooks = createLifecycleHooks(ports);
  const heard: string[] = [];
  hooks.session_start.tap("listen", (started) => void heard.push(started.sessionId));
  await tellNewSession(
    { ...OFFERED, sessionId },
    { outcome: "stored", seq: 1, deliveries: [] },
    { store, ports, hooks },
  );
  expect(heard).toEqual(told);
});
