import { type DiscordTown, openDiscord } from "./discord-town.ts";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import { createScriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";

/**
 * A bot on Discord whose agent says what it heard, is at work for ever where it hears `dig`, calls a tool where it hears
 * `spawn {…}`, and tells what it heard of sub-agents.
 */
export async function openDiscordGrove(
  account: object = {},
  config: object = {},
  options: Pick<GroveOptions, "ports"> = {},
): Promise<DiscordTown & { readonly agent: ScriptedAgent; readonly grove: Grove }> {
  const agent = createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`told: ${completion.label} ${completion.outcome}\n`);
      else if (text.startsWith("dig")) await turn.waitFor(new Promise(() => undefined));
      else if (text.startsWith("spawn ")) {
        for (const spawn of text.slice("spawn ".length).split("; "))
          await turn.callTool("sessions_spawn", JSON.parse(spawn));
        await turn.say("begun");
      } else await turn.say(`heard: ${text}`);
    }
    return undefined;
  });
  const town = await openDiscord(account);
  const main = { runtime: "scripted", default: true } as const;
  const grove = await openGrove({
    runtimes: agent.runtimes,
    config: { agents: { main }, channels: town.channels, ...config },
    env: town.env,
    ...options,
  });
  return { ...town, agent, grove };
}
