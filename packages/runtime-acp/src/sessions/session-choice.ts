import { RequestError } from "@agentclientprotocol/sdk";
import type { RuntimeHost, SessionSpec } from "@banyan/plugin-sdk";
import { type ConfigOption, findOption } from "../links/agent-answer.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";

/** What of a conversation's settings an agent may offer a choice of, by the protocol's category. */
const CHOICES = [
  { category: "model", what: "model" },
  { category: "thought_level", what: "thinking" },
] as const;
/** What agents call the level that is none. */
const NO_THINKING: readonly string[] = ["off", "none"];

/**
 * Sets the model and the thinking that the conversation is to have, as far as the agent offers them; what it does not offer is
 * told once for each of its processes, and it works with its own. Where nothing is set it has again what it had by itself: what
 * was set for one turn is not the next one's.
 */
export async function setChoices(
  agent: AgentProcess,
  standing: StandingSession,
  spec: Pick<SessionSpec, (typeof CHOICES)[number]["what"]>,
  { log }: Pick<RuntimeHost, "log">,
): Promise<void> {
  for (const { category, what } of CHOICES) {
    const wanted = spec[what] ?? standing.usual?.[what];
    if (wanted === undefined) continue;
    // The levels of one model may not be those of another.
    const option = findOption(standing.offer, category);
    const value = option && findValue(option, wanted);
    if (value !== undefined && value === option?.current) continue;
    const isSet = option !== undefined && value !== undefined && (await choose(agent, standing, option.id, value));
    if (isSet) standing.usual = { [what]: option.current, ...standing.usual };
    if (isSet || agent.told.has(`${what} ${wanted}`)) continue;
    agent.told.add(`${what} ${wanted}`);
    const offered = option?.values.map((each) => each.value);
    log.warn(
      { agent: agent.name, what, wanted, offered },
      "an agent does not offer what is set; it works with its own",
    );
  }
}

/** By the agent's own id of it, or by its name. */
function findValue({ values }: ConfigOption, wanted: string): string | undefined {
  const words = NO_THINKING.includes(wanted) ? NO_THINKING : [wanted];
  const isMeant = (text: string) => words.some((word) => word.toLowerCase() === text.toLowerCase());
  const found = values.find(({ value }) => value === wanted) ?? values.find(({ value }) => isMeant(value));
  return (found ?? values.find(({ name }) => isMeant(name)))?.value;
}

async function choose(
  { link }: AgentProcess,
  standing: StandingSession,
  configId: string,
  value: string,
): Promise<boolean> {
  try {
    const options = await link.setOption(standing.id, configId, value);
    standing.offer = { ...standing.offer, options };
    return true;
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}
