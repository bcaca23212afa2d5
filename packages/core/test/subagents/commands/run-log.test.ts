import type { NewEntry } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createTestPorts } from "../../ports/test-ports.ts";
import { BusyDesk, blockOf } from "./busy-desk.ts";

function entry(id: string, text: string, audience?: readonly string[]): NewEntry {
  const content = [{ type: "text", text, ...(audience && { audience }) }];
  return { id, body: JSON.stringify({ id, timestamp: 1, kind: "message", role: "assistant", content }) };
}

/** Behind what the first sub-agent has said. */
async function append(desk: BusyDesk, entries: readonly NewEntry[]): Promise<void> {
  const sessionKey = (await desk.runs())[0]?.childSessionKey ?? "";
  const sessionId = (await desk.store.read.session(sessionKey))?.sessionId ?? "";
  await desk.store.commit({ step: "append_entries", sessionKey, sessionId, entries });
}

describe("/subagents log", () => {
  it("shows what was said, and of a tool's output the first line only", async () => {
    const desk = await new BusyDesk().start();
    desk.plays(/^look/, async ({ call }) => {
      await call("nothing_like_it", { path: "/" });
      return "I looked.\nThere is ```nothing```.";
    });
    await desk.says("/spawn --label look look around");
    expect(blockOf(await desk.ask("/subagents log 1"))).toEqual([
      "ada: look around",
      "main uses nothing_like_it",
      expect.stringMatching(/^nothing_like_it failed: /),
      "main: I looked. There is '''nothing'''.",
    ]);
  });

  it("leaves out the rest of a long output", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    const part = { type: "tool_result", ordinal: 0, name: "read_file", text: "first\nsecond\nthird", isError: false };
    const body = { id: "t", timestamp: 1, kind: "tool_result", role: "tool", content: [part] };
    await append(desk, [{ id: "t", body: JSON.stringify(body) }]);
    expect(blockOf(await desk.ask("/subagents log 1")).at(-1)).toBe("read_file: first");
  });

  it("hides a secret also where the end of a line would cut it in two", async () => {
    const scrub = (text: string) => text.replaceAll("hunter2hunter2", "***");
    const desk = await new BusyDesk({ ports: createTestPorts({ scrub }) }).start();
    await desk.says("/spawn --label quick do it");
    const said = `${"x".repeat(150)} hunter2hunter2`;
    await append(desk, [entry("secret", said)]);
    expect(blockOf(await desk.ask("/subagents log 1")).at(-1)).toBe(`main: ${said.slice(0, 151)}***`);
  });

  it("shows neither what is for others than people, nor more than fits", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    const long = Array.from({ length: 40 }, (_, at) => entry(`l${at}`, `line ${at} ${"x".repeat(500)}`));
    await append(desk, [
      ...long,
      entry("agent", "for agents", ["agent"]),
      entry("user", "for people", ["user", "agent"]),
    ]);
    const lines = blockOf(await desk.ask("/subagents log 1"));
    expect(lines).toHaveLength(15);
    expect(lines.at(-1)).toBe("main: for people");
    expect(lines.every((line) => line.length <= 161)).toBe(true);
    expect(lines.join()).not.toContain("for agents");
  });
});
