import type { ChannelCommand } from "@banyan/plugin-sdk";
import { openSpeakingTown, type SpeakingTown } from "../discord-town.ts";
import type { TestAccountOptions } from "../test-account.ts";

export const REGISTER = "PUT /applications/:application/commands";
export const CALLBACK = "POST /interactions/:interaction/:token/callback";

export const COMMANDS: readonly ChannelCommand[] = [
  { name: "status", summary: "this conversation: agent, state, size", isDmOnly: false },
  {
    name: "kill",
    summary: "stop a sub-agent and all below it",
    isDmOnly: false,
    parameters: [{ name: "target", summary: "number or name", isRequired: true, kind: "target" }],
  },
];

/** A town whose bot has the commands. */
export async function openCommandTown(options: TestAccountOptions = {}): Promise<SpeakingTown> {
  const town = await openSpeakingTown({ commands: COMMANDS, ...options });
  await town.account.says(/slash commands are registered/);
  return town;
}
