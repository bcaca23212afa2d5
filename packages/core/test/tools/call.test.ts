import type { ToolResult } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/definition.ts";
import { ToolFailure } from "../../src/tools/failure.ts";
import type { Tool, ToolContext } from "../../src/tools/tool.ts";
import { LaneLost, SECRET, ToolDesk } from "./tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

function toolOf(run: (context: ToolContext) => Promise<ToolResult>, parts: Partial<Tool> = {}): Tool {
  const definition = { name: "probe", description: "", args: z.strictObject({}), isRepeatable: true };
  return { ...defineTool({ ...definition, run: (_args, context) => run(context) }), ...parts };
}

const never = new Promise<never>(() => undefined);
const fine: ToolResult = { text: "fine", isError: false };

describe("before the tool runs", () => {
  it.each([
    ["is not there", [], "nothing", "nothing"],
    ["is denied", [{ deny: ["probe"] }], "probe", "probe"],
    ["is not on the list", [{ allow: ["other"] }], "probe", "probe"],
    ["is denied by a parent", [{}, { deny: ["*"] }], "probe", "probe"],
  ])("attack 1: refuses a tool that %s, and says which there are", async (_name, policies, name, shown) => {
    let hasRun = false;
    desk.tools = [
      toolOf(async () => {
        hasRun = true;
        return fine;
      }),
    ];
    desk.scope = { ...desk.scope, policies };
    const choice = policies.length === 0 ? "Your tools are probe." : "You have no tools.";
    expect(await desk.call(name)).toEqual({
      text: `${shown} failed (refused): there is no such tool for you. ${choice}`,
      isError: true,
    });
    expect(hasRun).toBe(false);
  });

  it("refuses arguments with a sentence for each mistake", async () => {
    const result = await desk.call("list_files", { depth: "3", directory: "docs" });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/^list_files failed \(invalid\): dir: .*string.* depth: .*number.* "directory"/);
    expect(result.text).toMatch(/It takes dir, depth \(optional\)\.$/);
  });

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["a text", "docs"],
    ["a foreign prototype", JSON.parse('{"dir":".","__proto__":{"depth":1}}')],
    ["a hundred wrong keys", Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]))],
  ])("refuses %s as arguments", async (_name, args) => {
    expect(await desk.call("list_files", args)).toMatchObject({ isError: true });
    expect(desk.afterSaw).toEqual([]);
  });

  it("asks the hook with the call as it came, and lets it refuse", async () => {
    const asked: unknown[] = [];
    desk.before = async ({ call, turnId }) => {
      asked.push([turnId, call]);
      return { refused: "docs is closed today." };
    };
    expect(await desk.call("list_files", { dir: "docs" })).toEqual({
      text: "list_files failed (refused): docs is closed today.",
      isError: true,
    });
    expect(asked).toEqual([["turn-1", { ordinal: 0, name: "list_files", args: { dir: "docs" } }]]);
    expect(desk.afterSaw).toEqual([]);
  });

  it("refuses when the hook throws", async () => {
    desk.before = () => Promise.reject(new Error("tap broke"));
    expect(await desk.call("list_files", { dir: "." })).toMatchObject({
      text: expect.stringContaining("list_files failed (refused): the check desk failed"),
      isError: true,
    });
    expect(desk.logged).toContain("a tap failed");
  });

  it("does not run in a turn that was stopped meanwhile", async () => {
    const stop = new AbortController();
    desk.scope = { ...desk.scope, signal: stop.signal };
    desk.before = async () => {
      stop.abort();
      return undefined;
    };
    expect(await desk.call("list_files", { dir: "." })).toMatchObject({ isError: true });
    expect(desk.afterSaw).toEqual([]);
  });
});

describe("while it runs", () => {
  it("ends a call at the time limit, tells the tool to leave, and ignores what comes late", async () => {
    const late = Promise.withResolvers<ToolResult>();
    const begun = Promise.withResolvers<AbortSignal>();
    desk.tools = [
      toolOf(({ signal }) => {
        begun.resolve(signal);
        return late.promise;
      }),
    ];
    const result = desk.call("probe");
    const signal = await begun.promise;
    expect([...desk.timers].map(({ delayMs }) => delayMs)).toEqual([30_000]);
    desk.timeOut();
    expect(await result).toEqual({
      text: "probe failed (timeout): it was not done after 30 s; ask for less at once.",
      isError: true,
    });
    expect(signal.aborted).toBe(true);
    late.reject(new Error("late"));
    expect(desk.logged).toEqual([]);
  });

  it("gives a tool the time it asks for, and warns when it cannot simply be repeated", async () => {
    const begun = Promise.withResolvers<void>();
    const run = () => {
      begun.resolve();
      return never;
    };
    desk.tools = [toolOf(run, { timeoutMs: 90_000, isRepeatable: false })];
    const result = desk.call("probe");
    await begun.promise;
    expect([...desk.timers].map(({ delayMs }) => delayMs)).toEqual([90_000]);
    desk.timeOut();
    expect((await result).text).toMatch(/after 90 s.*stays done; check before you call it again\.$/);
  });

  it("ends a call when the turn stops, and leaves no timer", async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    desk.scope = { ...desk.scope, signal: stop.signal };
    desk.tools = [
      toolOf(() => {
        begun.resolve();
        return never;
      }),
    ];
    const result = desk.call("probe");
    await begun.promise;
    stop.abort();
    expect(await result).toMatchObject({ text: expect.stringContaining("the turn was stopped"), isError: true });
    expect(desk.timers.size).toBe(0);
  });

  it.each([
    ["a failure of its own", new ToolFailure("resource", "full."), "probe failed (resource): full."],
    [
      "what the system forbids",
      Object.assign(new Error("EACCES: /home/ada"), { code: "EACCES" }),
      "probe failed (permission): the system does not permit it to Banyan's user.",
    ],
    [
      "anything else, without its message",
      new Error("token 123"),
      "probe failed (error): the tool is broken; the operator's log says why. Go on without it.",
    ],
    [
      "no error at all",
      "text",
      "probe failed (error): the tool is broken; the operator's log says why. Go on without it.",
    ],
  ])("makes a result of %s", async (_name, thrown, text) => {
    desk.tools = [toolOf(() => Promise.reject(thrown))];
    expect(await desk.call("probe")).toEqual({ text, isError: true });
  });

  it("makes a result of a tool that throws at once, in either step", async () => {
    const thrower = (): never => {
      throw new Error("broken");
    };
    desk.tools = [toolOf(thrower)];
    expect(await desk.call("probe")).toMatchObject({ isError: true });
    desk.tools = [toolOf(async () => fine, { prepare: thrower })];
    expect(await desk.call("probe")).toMatchObject({ isError: true });
  });

  it("throws on only the loss of the lane", async () => {
    desk.tools = [toolOf(() => Promise.reject(new LaneLost("fenced")))];
    await expect(desk.call("probe")).rejects.toThrow(LaneLost);
  });
});

describe("after it ran", () => {
  it("lets the hook change the result, of a failure too", async () => {
    desk.after = async ({ isError }) => ({ text: isError ? "changed failure" : "changed", isError });
    desk.tools = [toolOf(async () => fine)];
    expect(await desk.call("probe")).toEqual({ text: "changed", isError: false });
    desk.tools = [toolOf(() => Promise.reject(new Error("x")))];
    expect(await desk.call("probe")).toEqual({ text: "changed failure", isError: true });
  });

  it("attack 18: keeps a secret from the hooks, the agent and the audit, whoever says it, also where the text is cut in it", async () => {
    const ran: ToolResult = { text: `it said ${SECRET}`, isError: true };
    desk.tools = [toolOf(async () => ran, { effect: "runs" })];
    expect((await desk.call("probe")).text).toBe("it said [secret]");
    expect(desk.afterSaw.map(({ text }) => text)).toEqual(["it said [secret]"]);
    desk.before = async () => ({ refused: `${SECRET} is closed.` });
    await desk.call("probe");
    expect(desk.audited.map(({ detail }) => JSON.parse(detail).why)).toEqual([
      undefined,
      "it said [secret]",
      "probe failed (refused): [secret] is closed.",
    ]);
    desk.before = async () => undefined;
    const limit = desk.scope.limits.outputLimitBytes;
    const long: ToolResult = { text: `${"x".repeat(limit - 130)}${SECRET.repeat(20)}`, isError: false };
    desk.tools = [toolOf(async () => long)];
    expect((await desk.call("probe")).text).not.toContain(SECRET.slice(0, 6));
  });

  it("skips a hook that throws", async () => {
    desk.after = () => Promise.reject(new Error("tap broke"));
    desk.tools = [toolOf(async () => fine)];
    expect(await desk.call("probe")).toEqual(fine);
    expect(desk.logged).toEqual(["a tap failed"]);
  });

  it.each(["tool", "hook"])(
    "cuts the output of the %s at its limit, with a notice, between two characters",
    async (who) => {
      const long = { text: "🌱".repeat(30_000), isError: false };
      desk.tools = [toolOf(async () => (who === "tool" ? long : fine))];
      if (who === "hook") desk.after = async () => long;
      const { text } = await desk.call("probe");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(79_000);
      expect(text).toMatch(
        /^(🌱)+\n\[cut here: the result has 120000 bytes, of which up to 80000 are shown; ask for less\]$/u,
      );
    },
  );
});
