import type { ChannelConnection, OutboundMessage } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { openSpawnThread } from "../src/bindings/open-spawn-thread.ts";
import { getThreadRules, type ThreadRules } from "../src/config/shapes/thread-rules.ts";
import { tapForAccount } from "../src/gateway-host-taps.ts";
import { createLifecycleHooks } from "../src/hooks/lifecycle-hooks.ts";
import { buildSpawning, GROVE, threadOf } from "./bindings/spawning-run.ts";
import { createTestPorts } from "./ports/test-ports.ts";

const ANNOUNCEMENT = {
  delivery: { id: "d", part: 0, of: 1, attempt: 1, createdAt: 0, mayHaveArrived: false },
  completion: {
    runId: "r1",
    childSessionKey: "agent:main:subagent:r1",
    task: "count",
    outcome: "done",
    result: "3",
    durationMs: 1,
  },
  target: GROVE,
  text: "3",
  requesterSessionKey: "agent:main:irc:group:grove",
  childSessionKey: "agent:main:subagent:r1",
  runId: "r1",
} as const;

/** A connected account of a channel with threads, or without. */
function connect(options: { readonly hasThreads?: boolean; readonly threads?: ThreadRules } = {}) {
  const { hasThreads = true, threads: rules = getThreadRules(undefined) } = options;
  const ports = createTestPorts();
  const hooks = createLifecycleHooks(ports);
  const sent: OutboundMessage[] = [];
  const threads = {
    open: async () => ({ address: threadOf("7") }),
    withdraw: async () => undefined,
    archive: async () => undefined,
    probe: async () => "open" as const,
  };
  const connection: ChannelConnection = {
    send: async (message) => {
      sent.push(message);
      return { platformId: "p" };
    },
    close: async () => undefined,
    ...(hasThreads ? { threads } : {}),
  };
  const place = { plugin: { id: "irc" }, account: { name: "default" } };
  const untap = tapForAccount(hooks, { ...place, connection, rules, ports, sendTimeoutMs: 1_000 });
  return { hooks, sent, untap };
}

it("a connected account announces what goes to it and opens threads, with the default rules", async () => {
  const { hooks, sent } = connect();
  expect(await hooks.announce.call(ANNOUNCEMENT)).toEqual({ platformId: "p" });
  expect(sent).toMatchObject([{ deliveryId: "d", kind: "completion", text: "3" }]);
  const opened = await openSpawnThread(hooks, buildSpawning());
  expect(opened).toEqual({ kind: "bound", binding: { id: "b1", address: threadOf("7") } });
});

it("one whose rules forbid threads refuses, one without the ability leaves it to others", async () => {
  const forbidden = connect({ threads: { isEnabled: false, fallback: "reply", nameFrom: "label" } });
  expect(await openSpawnThread(forbidden.hooks, buildSpawning())).toMatchObject({ kind: "refused" });
  const plain = connect({ hasThreads: false });
  expect(await openSpawnThread(plain.hooks, buildSpawning())).toEqual({ kind: "none" });
  expect(await plain.hooks.announce.call(ANNOUNCEMENT)).toEqual({ platformId: "p" });
});

it("one that is not connected any more does neither", async () => {
  const { hooks, sent, untap } = connect();
  untap();
  expect(await hooks.announce.call(ANNOUNCEMENT)).toBeUndefined();
  expect(await openSpawnThread(hooks, buildSpawning())).toEqual({ kind: "none" });
  expect(sent).toEqual([]);
});
