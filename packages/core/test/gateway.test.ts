import { type Address, type ChannelConnection, formatAddress } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { callGatewayInfo, callGatewayStatus } from "../src/gateway-control.ts";
import { type Gate, GatewayDesk } from "./gateway-desk.ts";
import { quiet } from "./manual-clock.ts";

const NEVER = new Promise<never>(() => undefined);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await quiet();
}

/** Nothing is left open: no server, no control socket, no timer, no account. */
async function expectAllClosed({ gateway, ports, stateDir }: GatewayDesk): Promise<void> {
  const url = readUrl(gateway);
  if (url !== undefined) await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await expect(callGatewayInfo(stateDir)).rejects.toThrow();
  // Only the time that a hanging send was given may still run.
  await ports.clock.advance(10_000);
  expect(ports.clock.waiting).toBe(0);
  expect(gateway.health().status).toBe("stopping");
  expect(ports.logged).toEqual([]);
}

function readUrl(gateway: GatewayDesk["gateway"]): string | undefined {
  try {
    return gateway.url;
  } catch {
    return undefined;
  }
}

function chatOf(channel: string, account: string): Address {
  return formatAddress({ channel, account, kind: "dm", chat: "ada" });
}

describe("a stop during the start", () => {
  it.each<Gate>(["recover", "waitingCommands", "readyLanes"])(
    "ends it at the next step and leaves nothing open: %s",
    async (at) => {
      const gate = Promise.withResolvers<void>();
      const desk = new GatewayDesk({ at, opened: gate.promise });
      const started = expect(desk.gateway.start()).rejects.toMatchObject({ name: "AbortError" });
      await until(() => desk.told.includes(at));
      const stopped = desk.gateway.stop();
      await quiet();
      expect(desk.told).toEqual([at]);
      gate.resolve();
      await stopped;
      await started;
      expect([desk.told, desk.contexts]).toEqual([[at, "closed"], []]);
      await expectAllClosed(desk);
    },
  );

  it("waits for no account that connects, and tells no tap", async () => {
    const desk = new GatewayDesk();
    desk.connect = () => NEVER;
    const started = expect(desk.gateway.start()).rejects.toMatchObject({ name: "AbortError" });
    await until(() => desk.contexts.length === 2);
    await desk.gateway.stop();
    await started;
    expect(desk.contexts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(desk.told).toEqual(["closed"]);
    await expectAllClosed(desk);
  });

  it("by a tap that hears of the start ends both", async () => {
    const desk = new GatewayDesk();
    desk.gateway.hooks.gateway_start.tapPromise("stops", async () => {
      await desk.gateway.stop();
      return undefined;
    });
    await desk.gateway.start();
    await desk.gateway.stop();
    expect(desk.told).toEqual(["gateway_start", "gateway_stop", "closed"]);
    await expectAllClosed(desk);
  });

  it("before it leaves nothing to start", async () => {
    const desk = new GatewayDesk();
    await desk.gateway.stop();
    await expect(desk.gateway.start()).rejects.toMatchObject({
      name: "AbortError",
      message: "The gateway was started: it was stopped during the start",
    });
    await expectAllClosed(desk);
  });
});

describe("a start", () => {
  it("calls back once it listens, and is starting until every account runs or has failed", async () => {
    const desk = new GatewayDesk();
    const connecting = Promise.withResolvers<ChannelConnection>();
    desk.connect = () => connecting.promise;
    const listening = Promise.withResolvers<string>();
    const started = desk.gateway.start({ onListening: () => listening.resolve(desk.gateway.url) });
    const url = await listening.promise;
    expect((await fetch(`${url}/healthz`)).status).toBe(503);
    expect(desk.gateway.health().status).toBe("starting");
    expect(await callGatewayInfo(desk.stateDir)).toMatchObject({ url });
    connecting.resolve({ send: async () => ({ platformId: "p" }), close: async () => undefined });
    await started;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(desk.told).toEqual(["gateway_start"]);
  });
});

describe("a store that has failed", () => {
  it("is told by the status with its reason, which does not ask the store, and by the log", async () => {
    const desk = new GatewayDesk();
    await desk.gateway.start();
    expect(await callGatewayStatus(desk.stateDir)).not.toHaveProperty("failure");
    const failure = "writing the store in /s: /s/banyan.db was removed or replaced while it was in use";
    desk.failStore(new StoreError("lost", failure));
    expect(await callGatewayStatus(desk.stateDir)).toMatchObject({
      status: "failed",
      failure,
      counts: { sessions: 0 },
    });
    const health = await fetch(`${desk.gateway.url}/healthz`);
    expect([health.status, await health.text()]).toEqual([503, expect.not.stringContaining("banyan.db")]);
    expect(desk.ports.logged).toMatchObject([
      { level: "error", fields: { err: { message: failure } }, message: "the store has failed; the gateway stops" },
    ]);
  });
});

describe("a plugin", () => {
  it("is named by each of its log lines", async () => {
    const desk = new GatewayDesk();
    await desk.gateway.start();
    const [own] = desk.contexts.filter(({ account }) => account === "one");
    own?.log.warn({ chat: 7 }, "a reply was late");
    expect(desk.ports.logged).toMatchObject([
      { level: "warn", fields: { account: "irc/one", chat: 7 }, message: "a reply was late" },
    ]);
  });

  it("reads the history of its own account alone", async () => {
    const desk = new GatewayDesk();
    await desk.gateway.start();
    const [own] = desk.contexts.filter(({ account }) => account === "one");
    expect(await own?.history({ address: chatOf("irc", "one") })).toEqual([]);
    await expect(own?.history({ address: chatOf("irc", "two") })).rejects.toThrow(
      "Reading a history for irc/one: its address names another account, received irc/two; build addresses with the plugin's id and context.account",
    );
    await expect(own?.history({ address: chatOf("webchat", "one") })).rejects.toThrow("received webchat/one");
  });

  it("asks and tells of places of its own account alone", async () => {
    const desk = new GatewayDesk();
    await desk.gateway.start();
    const [own] = desk.contexts.filter(({ account }) => account === "one");
    const address = chatOf("irc", "two");
    await expect(own?.findDelivered({ address, platformIds: [] })).rejects.toThrow(/^Searching receipts for irc\/one/);
    await expect(own?.threadGone(address)).rejects.toThrow(/^Reporting a lost thread for irc\/one/);
    await expect(own?.suggestTargets({ address, sender: { id: "ada" }, typed: "" })).rejects.toThrow(
      /^Searching targets for irc\/one/,
    );
    expect(await own?.findDelivered({ address: chatOf("irc", "one"), platformIds: ["p"] })).toEqual(new Set());
  });
});
