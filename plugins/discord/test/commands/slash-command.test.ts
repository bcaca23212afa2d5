import type { ChannelCommand } from "@banyan/plugin-sdk";
import { describe, expect, it, test } from "vitest";
import { hashCommands } from "../../src/commands/command-hash.ts";
import { buildSlashCommands } from "../../src/commands/slash-command.ts";

const status: ChannelCommand = { name: "status", summary: "this conversation: agent, state, size", isDmOnly: false };
const link: ChannelCommand = { name: "link", summary: "one conversation on several channels", isDmOnly: true };
const kill: ChannelCommand = {
  name: "kill",
  summary: "stop a sub-agent and all below it",
  isDmOnly: false,
  parameters: [
    { name: "target", summary: "number or name", isRequired: true, kind: "target" },
    { name: "agent", summary: "an agent", isRequired: false, kind: "agent" },
    { name: "reason", summary: "why", isRequired: false, kind: "text" },
  ],
};

describe("the commands that Discord shows", () => {
  test("are /ask and those of the host", () => {
    expect(buildSlashCommands([status, kill]).map(({ name }) => name)).toEqual(["ask", "status", "kill"]);
  });

  test("work in servers and in DMs, or in DMs alone", () => {
    expect(buildSlashCommands([status, link])).toMatchObject([
      { name: "ask", contexts: [0, 1], integration_types: [0] },
      { name: "status", contexts: [0, 1], integration_types: [0] },
      { name: "link", contexts: [1], integration_types: [0] },
    ]);
  });

  test("have their parameters as options, of which a target is completed while it is typed", () => {
    expect(buildSlashCommands([kill])[1]).toEqual({
      type: 1,
      name: "kill",
      description: "stop a sub-agent and all below it",
      options: [
        { type: 3, name: "target", description: "number or name", required: true, autocomplete: true },
        { type: 3, name: "agent", description: "an agent", required: false },
        { type: 3, name: "reason", description: "why", required: false },
      ],
      integration_types: [0],
      contexts: [0, 1],
    });
  });

  test("/ask needs a question", () => {
    expect(buildSlashCommands([])[0]).toMatchObject({ options: [{ name: "question", required: true }] });
  });

  test("are at most a hundred, with descriptions of at most a hundred characters", () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ ...status, name: `c${at}`, summary: "x".repeat(150) }));
    const commands = buildSlashCommands(many);
    expect(commands).toHaveLength(100);
    expect(commands[1]?.description).toHaveLength(100);
  });

  test("are left out where Discord would refuse the list for them", () => {
    const commands = buildSlashCommands([{ ...status, name: "Wait" }, { ...status, name: "ask" }, status]);
    expect(commands.map(({ name }) => name)).toEqual(["ask", "status"]);
    expect(buildSlashCommands([{ ...status, summary: " " }])[1]?.description).toBe("…");
  });
});

describe("the hash of a list", () => {
  const hash = hashCommands(buildSlashCommands([status, kill]));

  test("stays the same over processes and orders", () => {
    expect(hashCommands(buildSlashCommands([kill, status]))).toBe(hash);
    const swapped = { isDmOnly: false, summary: status.summary, name: "status" };
    expect(hashCommands(buildSlashCommands([swapped, kill]))).toBe(hash);
    expect(hash).toMatch(/^[\w-]{43}$/);
  });

  it.each<[what: string, commands: readonly ChannelCommand[]]>([
    ["a command less", [status]],
    ["another summary", [{ ...status, summary: "state" }, kill]],
    ["another place", [{ ...status, isDmOnly: true }, kill]],
    ["parameters in another order", [status, { ...kill, parameters: kill.parameters?.toReversed() ?? [] }]],
  ])("changes with %s", (_what, commands) => {
    expect(hashCommands(buildSlashCommands(commands))).not.toBe(hash);
  });
});
