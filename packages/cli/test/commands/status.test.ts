import { PassThrough } from "node:stream";
import type { GatewayStatus } from "@banyan/core";
import { describe, expect, test } from "vitest";
import { formatStatus, formatStatusJson } from "../../src/commands/status.ts";
import { SilentGateway } from "../../src/state/find-gateway.ts";

const COUNTS = {
  sessions: 41,
  waitingItems: 1,
  activeLanes: 2,
  unsettledDeliveries: 3,
  pendingPairings: 0,
  unfinishedRuns: 0,
};
const GATEWAY: GatewayStatus = {
  status: "ok",
  version: "0.1.0",
  accounts: { "telegram/default": { state: "running" }, "irc/eu": { state: "failed", detail: "no route; check it" } },
  running: 2,
  counts: COUNTS,
  uptimeMs: (3 * 24 + 4) * 3_600_000,
};

function show(found: Parameters<typeof formatStatus>[0]): readonly string[] {
  return formatStatus(found, "/srv/banyan", new PassThrough());
}

describe("banyan status", () => {
  test("a running gateway: one line for all, one for each account", () => {
    expect(show({ gateway: GATEWAY, counts: COUNTS, undelivered: { "telegram/default": 3, "irc/old": 1 } })).toEqual([
      "  up 3 d 4 h · 2 channels · 41 sessions · 2 turns running · 1 waiting",
      "  telegram/default  running         3 undelivered",
      "  irc/eu            failed          0 undelivered  no route; check it",
      "  irc/old           not configured  1 undelivered",
    ]);
  });

  test("strangers who ask are named with the way to them", () => {
    const counts = { ...COUNTS, pendingPairings: 2 };
    expect(show({ gateway: GATEWAY, counts, undelivered: {} })[0]).toMatch(/ · 2 strangers asking: banyan pair list$/);
    expect(show({ counts, undelivered: {} })[1]).toMatch(/ · 2 strangers asking: banyan pair list$/);
  });

  test("sub-agents that work are counted", () => {
    const counts = { ...COUNTS, unfinishedRuns: 3 };
    expect(show({ gateway: GATEWAY, counts, undelivered: {} })[0]).toMatch(
      / · 2 turns running · 3 sub-agents at work · 1 waiting$/,
    );
    expect(show({ counts: { ...counts, unfinishedRuns: 1 }, undelivered: {} })[1]).toMatch(
      /^ {2}41 sessions · 1 sub-agent at work · 1 waiting/,
    );
  });

  test("the document for scripts counts the calls of tools since the start, where a gateway runs", () => {
    const tools = { done: 3, failed: 1, refused: 2 };
    const read = (gateway: GatewayStatus | undefined) =>
      formatStatusJson({ ...(gateway === undefined ? {} : { gateway }), undelivered: {} }, "/srv/banyan");
    expect(read({ ...GATEWAY, tools })).toMatchObject({ running: true, toolCalls: tools });
    expect(read(GATEWAY)).not.toHaveProperty("toolCalls");
    expect(read(undefined)).not.toHaveProperty("toolCalls");
  });

  test("a gateway that stops says so", () => {
    expect(show({ gateway: { ...GATEWAY, status: "stopping" }, undelivered: {} })[0]).toMatch(/^ {2}stopping, up 3 d/);
  });

  test("no gateway: what the database knows", () => {
    expect(show({ counts: { ...COUNTS, sessions: 1 }, undelivered: { "telegram/default": 3 } })).toEqual([
      "  not running · state /srv/banyan · banyan start opens the gateway",
      "  1 session · 1 waiting · 3 undelivered",
      "  telegram/default  3 undelivered",
    ]);
  });

  test("a gateway whose store has failed says why", () => {
    const failure = "writing the store in /srv/banyan: banyan.db was removed; put it back";
    const gateway = { ...GATEWAY, status: "failed", failure };
    expect(show({ gateway, undelivered: {} })[0]).toBe(`  failed: ${failure}`);
    expect(formatStatusJson({ gateway, undelivered: {} }, "/s")).toMatchObject({ state: "failed", failure });
  });

  test("a gateway that does not respond is named, with what to do and what the database knows", () => {
    const silent = new SilentGateway("/srv/banyan", 4711, undefined);
    const found = { silent, counts: COUNTS, undelivered: {} };
    expect(show(found)).toEqual([
      "  PID 4711 uses /srv/banyan and does not respond",
      "  if it is starting or stopping, try again; if it is suspended, resume it (kill -CONT 4711); else kill it (kill -9 4711) and run banyan start, nothing is lost",
      "  41 sessions · 1 waiting · 3 undelivered",
    ]);
    expect(formatStatusJson(found, "/srv/banyan")).toMatchObject({
      running: true,
      state: "silent",
      pid: 4711,
      detail: silent.message,
      counts: COUNTS,
    });
  });

  test("a lost store: what a start would refuse, and what to do", () => {
    const loss = 'banyan.db is missing; run "banyan restore"';
    expect(show({ loss, undelivered: {} })).toEqual(["  not running · state /srv/banyan", `  ${loss}`]);
    expect(formatStatusJson({ loss, undelivered: {} }, "/s")).toMatchObject({ running: false, loss });
  });

  test("the document for scripts tells whether one runs", () => {
    expect(formatStatusJson({ undelivered: {} }, "/s")).toEqual({ running: false, stateDir: "/s", undelivered: {} });
    expect(formatStatusJson({ gateway: GATEWAY, counts: COUNTS, undelivered: {} }, "/s")).toMatchObject({
      running: true,
      turnsRunning: 2,
      accounts: GATEWAY.accounts,
      counts: COUNTS,
    });
  });
});
