import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createModelEmulator, type ModelScript } from "@banyan/emulator-model";
import type { AcpProfile, PermissionRequest, ToolDescription } from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, onTestFinished, test } from "vitest";
import { createAcpRuntime } from "../../src/index.ts";
import { createSystemClock } from "../desk/system-clock.ts";

/** The program `opencode` itself, by an absolute path. */
const OPENCODE = process.env.BANYAN_TEST_OPENCODE ?? "";
const isThere = existsSync(OPENCODE);

const SPAWN: ToolDescription = { name: "sessions_spawn", description: "Spawns.", parameters: { type: "object" } };

/** opencode with a model of ours, which first calls `bash` where it has that, and then says what it has. */
async function openOpencode(profile: AcpProfile) {
  const folder = mkdtempSync(join(tmpdir(), "banyan-opencode-"));
  const touched = join(folder, "touched");
  const script: ModelScript = (request) => {
    const { messages, tools = [] } = request;
    const names = tools.map((tool) => tool.function.name);
    const isCalled = messages.some(({ role }) => role === "tool");
    const args = { command: `touch ${touched}`, description: "touches a file" };
    if (names.includes("banyan_sessions_spawn") && !isCalled)
      return { calls: [{ name: "banyan_sessions_spawn", args: {} }] };
    return names.includes("bash") && !isCalled
      ? { calls: [{ name: "bash", args }] }
      : { text: `tools: ${names.join(" ")}` };
  };
  const server = await createModelEmulator({ script });
  const model = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: server.url, apiKey: "x" },
    models: { one: {} },
  };
  const config = join(folder, "opencode.json");
  writeFileSync(config, JSON.stringify({ model: "grove/one", small_model: "grove/one", provider: { grove: model } }));
  const offline = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
  const runtime = createAcpRuntime({
    findSettings: () => ({ agent: "opencode", env: Object.keys(offline), profile }),
    env: { ...offline, PATH: `${dirname(OPENCODE)}:${process.env.PATH}`, HOME: folder, OPENCODE_CONFIG: config },
    folder: join(folder, "work"),
    version: "0",
  });
  onTestFinished(async () => {
    await runtime.close?.();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const asked: PermissionRequest[] = [];
  const desk = new TurnDesk();
  const sessions_spawn = () => ({ text: "accepted", isError: false });
  return {
    desk,
    asked,
    touched,
    /** The person says yes to whatever is asked. */
    async says(text: string, tools: readonly ToolDescription[] = []): Promise<string> {
      const session = await desk.open(runtime, { audience: "known", tools }, createSystemClock());
      const askPermission = async (request: PermissionRequest) => {
        asked.push(request);
        const choice = request.choices.find(({ isAllowing }) => isAllowing);
        return choice === undefined
          ? ({ kind: "denied", why: "nobody" } as const)
          : ({ kind: "chosen", choice } as const);
      };
      const events = await readAll(session.run({ ...desk.turn(text, { sessions_spawn }), askPermission }));
      await session.close();
      return textOf(events);
    },
  };
}

test.skipIf(!isThere)(
  "opencode asks before it runs a command (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await openOpencode("ask");
    expect(await opencode.says("do it")).toMatch(/^tools: .*bash/);
    expect(opencode.asked.at(-1)?.text).toContain("touch ");
    expect(existsSync(opencode.touched)).toBe(true);
  },
  60_000,
);

test.skipIf(!isThere)(
  "opencode has no tool under chat-safe (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await openOpencode("chat-safe");
    expect(await opencode.says("do it")).toBe("tools: ");
    expect(opencode.asked).toEqual([]);
  },
  60_000,
);

test.skipIf(!isThere)(
  "opencode calls the host's tools unasked, under chat-safe these alone (only with BANYAN_TEST_OPENCODE)",
  async () => {
    const opencode = await openOpencode("chat-safe");
    expect(await opencode.says("do it", [SPAWN])).toBe("tools: banyan_sessions_spawn");
    expect(opencode.asked).toEqual([]);
    expect(opencode.desk.ran).toMatchObject([{ ordinal: 0, name: "sessions_spawn" }]);
  },
  60_000,
);
