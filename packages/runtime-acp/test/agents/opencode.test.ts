import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModelScript } from "@banyan/emulator-model";
import type { AcpProfile, PermissionRequest, RunEvent, ToolDescription } from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, test } from "vitest";
import { isOpencodeNamed, OPENCODE_LIMIT_MS, openOpencode, WORK_MODEL } from "../desk/opencode-desk.ts";
import { createSystemClock } from "../desk/system-clock.ts";

const SPAWN: ToolDescription = { name: "sessions_spawn", description: "Spawns.", parameters: { type: "object" } };

/** Calls the host's tool or `bash` first, where it has one of them, and then says what it has. */
const useTools: ModelScript = ({ messages, tools = [] }) => {
  const names = tools.map((tool) => tool.function.name);
  const isCalled = messages.some(({ role }) => role === "tool");
  if (names.includes("banyan_sessions_spawn") && !isCalled)
    return { calls: [{ name: "banyan_sessions_spawn", args: {} }] };
  return names.includes("bash") && !isCalled
    ? { calls: [{ name: "bash", args: { command: "touch ../../../touched", description: "touches a file" } }] }
    : { text: `tools: ${names.join(" ")}` };
};

/** A person who talks with it, and says yes to whatever is asked. */
async function meetOpencode(profile: AcpProfile, tools: readonly ToolDescription[] = []) {
  const { runtime, server, folder } = await openOpencode(profile, useTools);
  const asked: PermissionRequest[] = [];
  const desk = new TurnDesk();
  const sessions_spawn = () => ({ text: "accepted", isError: false });
  const askPermission = async (request: PermissionRequest) => {
    asked.push(request);
    const choice = request.choices.find(({ isAllowing }) => isAllowing);
    return choice === undefined ? ({ kind: "denied", why: "nobody" } as const) : ({ kind: "chosen", choice } as const);
  };
  const session = await desk.open(runtime, { audience: "known", tools }, createSystemClock());
  const begin = (text: string) => session.run({ ...desk.turn(text, { sessions_spawn }), askPermission });
  return {
    desk,
    asked,
    touched: join(folder, "touched"),
    says: async (text: string): Promise<string> => textOf(await readAll(begin(text))),
    /** Stops it when its model is asked for the second time, and resolves with all that was told. */
    async isStoppedAfter(text: string): Promise<readonly RunEvent[]> {
      const gate = server.hold({ model: WORK_MODEL, times: 1, skip: 1 });
      const run = begin(text);
      const events = readAll(run);
      await gate.reached(1, OPENCODE_LIMIT_MS);
      await run.abort("/stop");
      return events;
    },
  };
}

test.skipIf(!isOpencodeNamed)(
  "opencode asks before it runs a command (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await meetOpencode("ask");
    expect(await opencode.says("do it")).toMatch(/^tools: .*bash/);
    expect(opencode.asked.at(-1)?.text).toContain("touch ");
    expect(existsSync(opencode.touched)).toBe(true);
  },
  OPENCODE_LIMIT_MS,
);

test.skipIf(!isOpencodeNamed)(
  "opencode has no tool under chat-safe (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await meetOpencode("chat-safe");
    expect(await opencode.says("do it")).toBe("tools: ");
    expect(opencode.asked).toEqual([]);
  },
  OPENCODE_LIMIT_MS,
);

test.skipIf(!isOpencodeNamed)(
  "opencode calls the host's tools unasked, under chat-safe these alone (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await meetOpencode("chat-safe", [SPAWN]);
    expect(await opencode.says("do it")).toBe("tools: banyan_sessions_spawn");
    expect(opencode.asked).toEqual([]);
    expect(opencode.desk.ran).toMatchObject([{ ordinal: 0, name: "sessions_spawn" }]);
  },
  OPENCODE_LIMIT_MS,
);

test.skipIf(!isOpencodeNamed)(
  "opencode tells what a turn has cost that was stopped, and of its tokens nothing (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await meetOpencode("chat-safe", [SPAWN]);
    const end = (await opencode.isStoppedAfter("do it")).at(-1);
    expect(end).toEqual({ type: "end", reason: "stopped", usage: { costUsd: expect.any(Number) } });
  },
  OPENCODE_LIMIT_MS,
);
