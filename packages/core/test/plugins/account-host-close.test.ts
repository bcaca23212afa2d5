import type { ChannelConnection } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { fails, HostDesk } from "./host-desk.ts";

describe("closing", () => {
  it("ends the connection and the signal", async () => {
    const desk = new HostDesk();
    await desk.host.start();
    await desk.host.close();
    expect(desk.host.status).toEqual({ state: "stopped" });
    expect([desk.closed, desk.contexts[0]?.signal.aborted]).toEqual([["1"], true]);
  });

  it("does not fail when the plugin does", async () => {
    const desk = new HostDesk();
    desk.connect = async () => desk.connection("a", { close: async () => Promise.reject(new Error("no luck")) });
    await desk.host.start();
    await desk.host.close();
    expect(desk.host.status).toEqual({ state: "stopped" });
    expect(desk.ports.logged).toMatchObject([{ level: "error", message: "a plugin failed to close" }]);
  });

  it("during a connect gives it up, closes what comes late, and shows no failure", async () => {
    const desk = new HostDesk();
    const late = Promise.withResolvers<ChannelConnection>();
    desk.connect = () => late.promise;
    const start = desk.host.start();
    await quiet();
    await desk.host.close();
    await start;
    await desk.host.settled;
    late.resolve(desk.connection("late"));
    await quiet();
    expect(desk.host.status).toEqual({ state: "stopped" });
    expect(desk.closed).toEqual(["late"]);
    expect(desk.told).not.toContain("connected");
    expect(desk.ports.logged).toEqual([]);
    expect(desk.ports.clock.waiting).toBe(0);
  });

  it("in the moment of connecting leaves no connection open", async () => {
    const desk = new HostDesk();
    const connecting = Promise.withResolvers<ChannelConnection>();
    desk.connect = () => connecting.promise;
    const start = desk.host.start();
    await quiet();
    connecting.resolve(desk.connection("a"));
    await desk.host.close();
    await start;
    await quiet();
    expect(desk.closed).toEqual(["a"]);
    expect([desk.host.status.state, desk.host.connection]).toEqual(["stopped", undefined]);
    expect(desk.told.at(-1)).toBe("disconnected");
  });

  it("between two tries ends the waiting", async () => {
    const desk = new HostDesk();
    desk.connect = async () => {
      throw fails("definite");
    };
    const start = desk.host.start();
    await quiet();
    await desk.host.close();
    await start;
    expect(desk.contexts).toHaveLength(1);
    expect(desk.ports.clock.waiting).toBe(0);
    expect(desk.host.status).toEqual({ state: "stopped" });
  });

  it("of a connect that never ends is not kept waiting", async () => {
    const desk = new HostDesk();
    desk.connect = () => new Promise<ChannelConnection>(() => undefined);
    void desk.host.start();
    await quiet();
    await desk.host.close();
    expect(desk.contexts[0]?.signal.aborted).toBe(true);
  });

  it("begins with no further tries; what is connected stays until the end", async () => {
    const desk = new HostDesk();
    desk.connect = async () => {
      throw fails("definite");
    };
    const start = desk.host.start();
    await quiet();
    desk.host.giveUpConnecting();
    await start;
    await desk.ports.clock.advance(3_600_000);
    expect(desk.contexts).toHaveLength(1);
    const other = new HostDesk();
    await other.host.start();
    other.host.giveUpConnecting();
    await quiet();
    expect([other.host.status.state, other.contexts[0]?.signal.aborted]).toEqual(["running", false]);
  });
});
