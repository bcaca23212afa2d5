import { createGate, type Gate, type Script, type ScriptTurn } from "@banyan/runtime-demo";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import { createScriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";
import type { WebPerson } from "./web-person.ts";

export const SESSION = "agent:main:webchat:dm:operator";

/** Somebody in the web chat in front of an agent that plays the script. */
export interface QueueDesk {
  readonly agent: ScriptedAgent;
  readonly grove: Grove;
  readonly ada: WebPerson;
  /** Resolves when so many messages wait. */
  waits(count: number): Promise<true>;
}

export async function openDesk(
  script: Script,
  queue: object = {},
  more: Partial<GroveOptions> = {},
): Promise<QueueDesk> {
  const agent = createScriptedAgent(script);
  const config = { ...agent.config, queue: { debounceMs: 0, ...queue } };
  const grove = await openGrove({ runtimes: agent.runtimes, config, ...more });
  const ada = grove.web("operator");
  const waits = (count: number): Promise<true> =>
    grove.until(`${count} to wait`, () =>
      grove.read(async (read) => ((await read.lane(SESSION)).waiting === count ? true : undefined)),
    );
  return { agent, grove, ada, waits };
}

export function textOf({ input }: ScriptTurn): string {
  return textsOf(input.input);
}

export function textsOf(input: readonly { readonly text: string }[]): string {
  return input.map(({ text }) => text).join(" + ");
}

/** An agent whose first turn waits for the gate; each answer says what it was told. */
export async function openGated(queue: object): Promise<QueueDesk & { readonly gate: Gate }> {
  const gate = createGate();
  const desk = await openDesk(
    (turn) => async () => {
      if (textOf(turn) === "walk") {
        gate.reach();
        await turn.waitFor(gate.opened);
      }
      await turn.say(`done: ${textOf(turn)}`);
      return undefined;
    },
    queue,
  );
  await desk.ada.says("walk");
  await gate.reached;
  return { ...desk, gate };
}
