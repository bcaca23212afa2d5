import { describe, expect, it } from "vitest";
import { THREAD } from "./commands/focus-desk.ts";
import { addressOf, TreeDesk } from "./tree-desk.ts";

/** `m` spawns `x` when it is asked to look. `x` is at work until `found` says what it found. */
async function openDesk() {
  const found = Promise.withResolvers<string>();
  const desk = await new TreeDesk().start();
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: THREAD },
  }));
  desk.plays(/^middle/, () => "ready");
  desk.plays(/please look/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return "I asked x";
  });
  desk.plays(/^leaf/, () => found.promise);
  desk.plays(/“x”/, ({ input }) => `x found ${input.input[0]?.completion?.result}`);
  return { desk, found };
}

describe("what a person asks for while a conversation is turned to a sub-agent", () => {
  it("is told of, also when it is stopped together with that one", async () => {
    const desk = await new TreeDesk().start();
    const never = new Promise<string>(() => undefined);
    desk.plays(/^middle/, () => never);
    desk.plays(/^leaf/, () => never);
    await desk.says("/spawn --label m middle");
    await desk.says("/focus m");
    await desk.says("/spawn --label x leaf");
    await desk.says("/unfocus");
    await desk.says("/kill m");
    await desk.later(30_000);
    expect(desk.heard()).toContain("Stopped **m** and 1 below it.");
    expect(desk.heard().filter((text) => text.startsWith("⏹"))).toEqual([expect.stringMatching(/^⏹ \*\*x\*\*/)]);
    const [m, x] = await desk.runs();
    expect(x?.settledBy).toBe("host");
    expect(await desk.lines(m?.childSessionKey)).toContain("completion: killed ");
  });
});

describe("what a sub-agent asks for while it talks with people", () => {
  it("is told in the conversation that is turned to it", async () => {
    const { desk, found } = await openDesk();
    await desk.says("/spawn --label m middle");
    await desk.says("/focus m");
    await desk.says("please look");
    expect(desk.heard().at(-1)).toBe("I asked x");
    found.resolve("a leaf");
    await desk.rest();
    expect(desk.heard().at(-1)).toBe("x found a leaf");
    expect((await desk.runs())[1]?.settledBy).toBe("parent");
  });

  it("is told by the host where the conversation was turned away meanwhile", async () => {
    const { desk, found } = await openDesk();
    await desk.says("/spawn --label m middle");
    await desk.says("/focus m");
    await desk.says("please look");
    await desk.says("/unfocus");
    found.resolve("a leaf");
    await desk.later(20 * 60_000);
    expect(desk.heard().filter((text) => text.includes("a leaf"))).toEqual([
      expect.stringMatching(/^✅ \*\*x\*\*.*\n\na leaf$/),
    ]);
    expect((await desk.runs())[1]?.settledBy).toBe("host");
    const middle = (await desk.runs())[0]?.childSessionKey ?? "";
    expect(await desk.lines(middle)).toContain("completion: done a leaf");
  });

  it("is told in its thread, by the host where the thread is no longer its own", async () => {
    const { desk, found } = await openDesk();
    await desk.says("/spawn --thread --mode session --label m middle");
    await desk.saysAt(THREAD, "please look");
    await desk.saysAt(THREAD, "/unfocus");
    found.resolve("a leaf");
    await desk.later(20 * 60_000);
    expect(desk.heardAt(THREAD).filter((text) => text.includes("a leaf"))).toEqual([
      expect.stringMatching(/^✅ \*\*x\*\*/),
    ]);
    expect(desk.heard().some((text) => text.includes("a leaf"))).toBe(false);
  });

  it("is told in the chat where it was asked, though the sub-agent has a thread, too", async () => {
    const { desk, found } = await openDesk();
    await desk.says("/spawn --thread --mode session --label m middle");
    await desk.says("/focus m");
    await desk.says("please look");
    found.resolve("a leaf");
    await desk.rest();
    expect(desk.heardAt(addressOf("ada")).at(-1)).toBe("x found a leaf");
    expect(desk.heardAt(THREAD).some((text) => text.includes("a leaf"))).toBe(false);
  });

  it("stays inside where it was asked for by the task itself, though people listen by now", async () => {
    const { desk, found } = await openDesk();
    await desk.says("/spawn --label m please look");
    await desk.says("/focus m");
    found.resolve("a leaf");
    await desk.rest();
    expect(desk.heard().filter((text) => text.includes("a leaf"))).toEqual([
      expect.stringMatching(/^✅ \*\*m\*\*.*\n\nx found a leaf$/),
    ]);
    expect((await desk.runs())[1]?.settledBy).toBe("nobody");
  });
});
