import { describe, expect, it } from "vitest";
import { createBail, createObserver, createWaterfall } from "../../src/hooks/tap-kinds.ts";
import { quiet } from "../manual-clock.ts";
import { createTestPorts } from "../ports/test-ports.ts";

function fails(): never {
  throw new Error("no luck");
}

async function failsLater(): Promise<never> {
  await quiet();
  throw new Error("no luck later");
}

/** A tap that hangs, and the signal it was given. */
function createHanging() {
  let signal: AbortSignal | undefined;
  return {
    tap: (_payload: unknown, context: { signal: AbortSignal }): Promise<undefined> => {
      signal = context.signal;
      return new Promise(() => undefined);
    },
    isAborted: () => signal?.aborted,
  };
}

describe("an observer", () => {
  it("runs all taps beside each other and gives no answer", async () => {
    const hook = createObserver<string>("seen", createTestPorts());
    const seen: string[] = [];
    hook.tapPromise("slow", async (payload) => {
      seen.push(`slow ${payload}`);
      await quiet();
      seen.push("slow done");
      return undefined;
    });
    hook.tap("quick", (payload) => void seen.push(`quick ${payload}`));
    expect(await hook.call("x")).toBeUndefined();
    expect(seen).toEqual(["slow x", "quick x", "slow done"]);
  });

  it("logs taps that throw with their names, runs the others, and does not reject", async () => {
    const ports = createTestPorts();
    const hook = createObserver<string>("seen", ports);
    const seen: string[] = [];
    hook.tap("bad", fails);
    hook.tapPromise("worse", failsLater);
    hook.tap("good", (payload) => void seen.push(payload));
    await hook.call("x");
    expect(seen).toEqual(["x"]);
    expect(ports.logged).toMatchObject([
      { level: "error", fields: { hook: "seen", tap: "bad" }, message: "a tap failed" },
      { level: "error", fields: { hook: "seen", tap: "worse" } },
    ]);
  });

  it("cuts a tap that hangs off at its time limit and aborts its signal", async () => {
    const ports = createTestPorts();
    const hook = createObserver<string>("seen", ports);
    const hanging = createHanging();
    hook.tapPromise("deaf", hanging.tap);
    const call = hook.call("x");
    await ports.clock.advance(9_999);
    expect(hanging.isAborted()).toBe(false);
    await ports.clock.advance(1);
    await call;
    expect(hanging.isAborted()).toBe(true);
    expect(ports.logged).toMatchObject([{ fields: { tap: "deaf" } }]);
    expect(String(Reflect.get(ports.logged[0]?.fields ?? {}, "err"))).toMatch(
      /seen called the tap deaf: no answer within 10000 ms/,
    );
  });

  it("leaves no timer behind a tap that answered", async () => {
    const ports = createTestPorts();
    const hook = createObserver<string>("seen", ports);
    hook.tapPromise("quick", async () => undefined);
    await hook.call("x");
    expect(ports.clock.waiting).toBe(0);
  });
});

describe("a bail", () => {
  const create = (onThrow: (error: unknown, tap: string) => string | undefined = () => undefined) => {
    const ports = createTestPorts();
    return { ports, hook: createBail<string, string>("asked", ports, onThrow) };
  };

  it("ends with the first answer", async () => {
    const { hook } = create();
    const asked: string[] = [];
    hook.tap("silent", () => void asked.push("silent"));
    hook.tapPromise("first", async (payload) => `first ${payload}`);
    hook.tap("second", () => {
      asked.push("second");
      return "second";
    });
    expect(await hook.call("x")).toBe("first x");
    expect(asked).toEqual(["silent"]);
  });

  it.each([
    ["the order of tapping", [{ name: "a" }, { name: "b" }], "a"],
    ["the smaller stage", [{ name: "a", stage: 100 }, { name: "b" }], "b"],
    ["a negative stage", [{ name: "a" }, { name: "b", stage: -1 }], "b"],
    ["before", [{ name: "a" }, { name: "b", before: "a" }], "b"],
  ])("asks by %s", async (_rule, taps, answer) => {
    const { hook } = create();
    for (const options of taps) hook.tap(options, () => options.name);
    expect(await hook.call("x")).toBe(answer);
  });

  it("answers nothing when nobody does", async () => {
    const { hook } = create();
    expect(await hook.call("x")).toBeUndefined();
    hook.tap("silent", () => undefined);
    expect(await hook.call("x")).toBeUndefined();
  });

  it("takes the hook's own rule for a tap that throws or hangs", async () => {
    const { hook, ports } = create((error, tap) => `${tap}: ${error instanceof Error ? error.message : ""}`);
    const dispose = hook.tap("bad", fails);
    hook.tap("good", () => "good");
    expect(await hook.call("x")).toBe("bad: no luck");
    dispose();
    hook.tapPromise({ name: "deaf", stage: -1, timeoutMs: 50 }, createHanging().tap);
    const call = hook.call("x");
    await ports.clock.advance(50);
    expect(await call).toMatch(/^deaf: .*no answer within 50 ms$/);
    expect(ports.logged.map(({ fields }) => Reflect.get(fields, "tap"))).toEqual(["bad", "deaf"]);
  });

  it("asks on when the rule has no answer, and rejects when the rule throws", async () => {
    const { hook } = create();
    hook.tap("bad", fails);
    hook.tap("good", () => "good");
    expect(await hook.call("x")).toBe("good");
    const strict = create(fails).hook;
    strict.tap("bad", fails);
    await expect(strict.call("x")).rejects.toThrow("no luck");
  });
});

describe("a waterfall", () => {
  const create = (onRequiredThrow?: (tap: string) => string) => {
    const ports = createTestPorts();
    const fold = (payload: string, answer: string) => `${payload}+${answer}`;
    return { ports, hook: createWaterfall<string, string>("changed", ports, fold, onRequiredThrow) };
  };

  it("gives each tap what the ones before made of it", async () => {
    const { hook } = create();
    const seen: string[] = [];
    hook.tapPromise("a", async (payload) => {
      seen.push(payload);
      return "a";
    });
    hook.tap("silent", (payload) => void seen.push(payload));
    hook.tap("b", (payload) => {
      seen.push(payload);
      return "b";
    });
    expect(await hook.call("x")).toBe("x+a+b");
    expect(seen).toEqual(["x", "x+a", "x+a"]);
  });

  it("gives the payload back when nobody taps, and says so", async () => {
    const { hook } = create();
    expect(hook.isTapped).toBe(false);
    expect(await hook.call("x")).toBe("x");
    const dispose = hook.tap("a", () => "a");
    expect(hook.isTapped).toBe(true);
    dispose();
    expect(hook.isTapped).toBe(false);
  });

  it("passes over a tap that throws, but not over one without whose word nothing goes on", async () => {
    const { hook, ports } = create((tap) => `without ${tap}`);
    hook.tap("bad", fails);
    hook.tap({ name: "needed", isRequired: true }, fails);
    hook.tap("b", () => "b");
    expect(await hook.call("x")).toBe("x+without needed+b");
    expect(ports.logged.map(({ fields }) => Reflect.get(fields, "tap"))).toEqual(["bad", "needed"]);
  });
});

describe("a disposer", () => {
  it("removes the tap for good, and can be called again", async () => {
    const hook = createBail<string, string>("asked", createTestPorts(), () => undefined);
    const dispose = hook.tap("a", () => "a");
    hook.tap("b", () => "b");
    expect(await hook.call("x")).toBe("a");
    dispose();
    dispose();
    expect(await hook.call("x")).toBe("b");
  });

  it("removes the tap from a call under way", async () => {
    const ports = createTestPorts();
    const observer = createObserver<string>("seen", ports);
    const waterfall = createWaterfall<string, string>("changed", ports, (payload, answer) => payload + answer);
    for (const hook of [observer, waterfall]) {
      const called: string[] = [];
      const disposers: (() => void)[] = [];
      hook.tap("first", () => {
        called.push("first");
        for (const dispose of disposers) dispose();
        return undefined;
      });
      disposers.push(hook.tap("second", () => void called.push("second")));
      await hook.call("x");
      expect(called).toEqual(["first"]);
    }
  });

  it("lets a tap take itself away while it is called", async () => {
    const hook = createBail<string, string>("asked", createTestPorts(), () => undefined);
    const dispose = hook.tap("once", () => {
      dispose();
      return "once";
    });
    expect([await hook.call("x"), await hook.call("x")]).toEqual(["once", undefined]);
  });
});
