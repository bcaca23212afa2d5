import type { ChannelConnection } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { fails, HostDesk } from "./host-desk.ts";

const threads = {
  open: async () => Promise.reject(fails("permanent")),
  withdraw: async () => undefined,
  archive: async () => undefined,
  probe: async () => "open" as const,
};

describe("connecting", () => {
  it("runs the account and tells the gateway", async () => {
    const desk = new HostDesk();
    expect(desk.host.status).toEqual({ state: "connecting" });
    await desk.host.start();
    await desk.host.settled;
    expect(desk.host.status).toEqual({ state: "running" });
    expect(desk.told).toEqual(["connected"]);
    expect(desk.host.connection).toBeDefined();
    expect(desk.contexts[0]?.signal.aborted).toBe(false);
    expect(desk.ports.clock.waiting).toBe(0);
  });

  it.each(["definite", "ambiguous", "rate_limited", "chat_gone"] as const)(
    "is tried again after %s, longer each time, at most a minute",
    async (errorClass) => {
      const desk = new HostDesk();
      desk.connect = async () => {
        throw fails(errorClass);
      };
      void desk.host.start();
      await desk.host.settled;
      expect(desk.host.status).toEqual({ state: "failed", detail: `${fails(errorClass).message}; tried again in 1 s` });
      let attempts = 1;
      for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
        await desk.ports.clock.advance(waitMs - 1);
        expect(desk.contexts).toHaveLength(attempts);
        await desk.ports.clock.advance(1);
        attempts += 1;
        expect(desk.contexts).toHaveLength(attempts);
      }
      desk.connect = async () => desk.connection("at last");
      await desk.ports.clock.advance(60_000);
      expect(desk.host.status).toEqual({ state: "running" });
    },
  );

  it("waits as long as the platform says", async () => {
    const desk = new HostDesk();
    desk.connect = async () => {
      throw fails("rate_limited", { retryAfterMs: 90_000 });
    };
    void desk.host.start();
    await desk.ports.clock.advance(89_999);
    expect(desk.contexts).toHaveLength(1);
    await desk.ports.clock.advance(1);
    expect(desk.contexts).toHaveLength(2);
  });

  it.each(["unauthorized", "permanent"] as const)("is given up at %s", async (errorClass) => {
    const desk = new HostDesk();
    desk.connect = async () => {
      throw fails(errorClass);
    };
    await desk.host.start();
    expect(desk.host.status).toEqual({ state: "failed", detail: fails(errorClass).message });
    await desk.ports.clock.advance(3_600_000);
    expect(desk.contexts).toHaveLength(1);
  });

  it("takes whatever else a plugin throws for ambiguous: it is tried again", async () => {
    const desk = new HostDesk();
    desk.connect = () => {
      throw new TypeError("undefined is not a function");
    };
    void desk.host.start();
    await desk.host.settled;
    expect(desk.host.status.detail).toBe(
      "The account irc/work was connected: its plugin failed: undefined is not a function; tried again in 1 s",
    );
    desk.connect = async () => desk.connection("a");
    await desk.ports.clock.advance(1_000);
    expect(desk.host.status).toEqual({ state: "running" });
  });

  it("is tried again when the host itself could not begin", async () => {
    const desk = new HostDesk();
    desk.buildFailure = new Error("the cursor could not be read");
    void desk.host.start();
    await desk.host.settled;
    desk.buildFailure = undefined;
    await desk.ports.clock.advance(1_000);
    expect(desk.host.status).toEqual({ state: "running" });
  });

  it("aborts the signal of an attempt that failed, and gives the next one a new one", async () => {
    const desk = new HostDesk();
    desk.connect = async (_context, attempt) => {
      if (attempt === 1) throw fails("definite");
      return desk.connection("second");
    };
    void desk.host.start();
    await desk.ports.clock.advance(1_000);
    expect(desk.contexts.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(desk.told).toEqual(["disconnected", "connected"]);
  });
});

describe("a connect that hangs", () => {
  it("is given up after a minute; when it comes late all the same it is closed", async () => {
    const desk = new HostDesk();
    const late = Promise.withResolvers<ChannelConnection>();
    desk.connect = (_context, attempt) => (attempt === 1 ? late.promise : Promise.resolve(desk.connection("second")));
    void desk.host.start();
    await desk.ports.clock.advance(59_999);
    expect(desk.contexts[0]?.signal.aborted).toBe(false);
    await desk.ports.clock.advance(1);
    expect(desk.contexts[0]?.signal.aborted).toBe(true);
    expect(desk.host.status.detail).toMatch(/no end within 60 s; tried again in 1 s/);
    await desk.ports.clock.advance(1_000);
    expect(desk.host.status.state).toBe("running");
    late.resolve(desk.connection("late"));
    await quiet();
    expect(desk.closed).toEqual(["late"]);
    desk.contexts[0]?.report("failed", fails("unauthorized"));
    expect(desk.host.status).toEqual({ state: "running" });
  });
});

describe("abilities", () => {
  it.each<[string, object, Partial<ChannelConnection>, boolean]>([
    ["threads that are promised and missing", { threads: true }, {}, false],
    ["threads that nobody promised", {}, { threads }, false],
    ["edits that are promised and missing", { edits: true }, {}, false],
    ["edits that nobody promised", {}, { edits: { edit: async () => undefined } }, false],
    ["threads as promised", { threads: true }, { threads }, true],
    ["typing, which needs no promise", {}, { typing: { start: () => () => undefined } }, true],
  ])("%s", async (_name, capabilities, abilities, isTaken) => {
    const desk = new HostDesk(capabilities);
    desk.connect = async () => desk.connection("a", abilities);
    await desk.host.start();
    await quiet();
    expect(desk.host.status.state).toBe(isTaken ? "running" : "failed");
    expect(desk.closed).toEqual(isTaken ? [] : ["a"]);
    if (!isTaken)
      expect(desk.host.status.detail).toMatch(/^The plugin irc was connected: capabilities\..+; make them agree$/);
  });
});

describe("reports", () => {
  it("stand where they came before the connect ended: what is still trying does not run", async () => {
    const desk = new HostDesk();
    desk.connect = async ({ report }) => {
      report("retrying", fails("definite"));
      return desk.connection("in the background");
    };
    await desk.host.start();
    expect(desk.host.status).toEqual({ state: "retrying", detail: fails("definite").message });
    desk.contexts[0]?.report("running");
    expect(desk.host.status).toEqual({ state: "running" });
  });

  it("show how the account fares", async () => {
    const desk = new HostDesk();
    await desk.host.start();
    desk.contexts[0]?.report("retrying", fails("definite"));
    expect(desk.host.status).toEqual({ state: "retrying", detail: fails("definite").message });
    desk.contexts[0]?.report("running");
    expect(desk.host.status).toEqual({ state: "running" });
    expect(desk.told).toEqual(["connected"]);
  });

  it("of failure end the account for good", async () => {
    const desk = new HostDesk();
    await desk.host.start();
    desk.contexts[0]?.report("failed", fails("unauthorized"));
    await quiet();
    expect(desk.host.status).toEqual({ state: "failed", detail: fails("unauthorized").message });
    expect([desk.told, desk.closed, desk.contexts[0]?.signal.aborted]).toEqual([
      ["connected", "disconnected"],
      ["1"],
      true,
    ]);
    expect(desk.host.connection).toBeUndefined();
    desk.contexts[0]?.report("running");
    await desk.ports.clock.advance(3_600_000);
    expect(desk.host.status.state).toBe("failed");
    expect(desk.contexts).toHaveLength(1);
  });

  it("a send that finds the credentials refused ends it too, once", async () => {
    const desk = new HostDesk();
    await desk.host.start();
    desk.host.fail(fails("unauthorized"));
    desk.host.fail(fails("unauthorized"));
    await quiet();
    expect(desk.host.status.state).toBe("failed");
    expect(desk.closed).toEqual(["1"]);
  });

  it.each(["unauthorized", "definite"] as const)(
    "of failure during a connect is how the connect ends, for good: %s",
    async (errorClass) => {
      const desk = new HostDesk();
      const late = Promise.withResolvers<ChannelConnection>();
      desk.connect = ({ report }) => {
        report("failed", fails(errorClass));
        return late.promise;
      };
      await desk.host.start();
      expect(desk.host.status).toEqual({ state: "failed", detail: fails(errorClass).message });
      late.resolve(desk.connection("late"));
      await desk.ports.clock.advance(3_600_000);
      expect([desk.contexts.length, desk.closed, desk.told]).toEqual([1, ["late"], ["disconnected"]]);
      expect(desk.ports.logged).toMatchObject([{ level: "error", message: "an account does not connect" }]);
    },
  );

  it("of failure during a connect without a reason are told as such", async () => {
    const desk = new HostDesk();
    desk.connect = ({ report }) => {
      report("failed");
      return new Promise<ChannelConnection>(() => undefined);
    };
    await desk.host.start();
    expect(desk.host.status.detail).toMatch(/its plugin reported a failure and no reason; update the plugin/);
  });
});
