import { join } from "node:path";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import { createScriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";
import type { WebPerson } from "./web-person.ts";

/** An agent that calls the tool it is told to, and says what came of it: `exec {"command":"ls"}`. */
function createToolWorker(): ScriptedAgent {
  return createScriptedAgent((turn) => async () => {
    for (const { text } of turn.input.input) {
      const space = text.indexOf(" ");
      const { text: answer } = await turn.callTool(text.slice(0, space), JSON.parse(text.slice(space + 1)));
      await turn.say(answer);
    }
    return undefined;
  });
}

/** A secret that the gateway was started with. */
export const HOUSE_SECRET = "a-secret-of-the-house";

export interface Workshop {
  readonly grove: Grove;
  readonly ada: WebPerson;
  /** The agent's folder: a separate one where it may run programs. */
  readonly workspace: string;
}

/** A gateway whose agent does as it is told, with the given `tools` of its configuration, and the files in its workspace. */
export async function openWorkshop(tools: object, more: GroveOptions = {}): Promise<Workshop> {
  const { runtimes } = createToolWorker();
  const workspace = "exec" in tools ? "workspace" : ".";
  const config = { agents: { main: { runtime: "scripted", default: true, tools, workspace } }, ...more.config };
  const env = { PATH: process.env.PATH ?? "", TOKEN_OF_THE_HOUSE: HOUSE_SECRET, ...more.env };
  const named = Object.entries({ "notes.md": "the well is deep", ...more.files });
  const files = Object.fromEntries(named.map(([name, text]) => [join(workspace, name), text]));
  const grove = await openGrove({ ...more, runtimes, config, env, files });
  return { grove, ada: grove.web("ada"), workspace: join(grove.folder, workspace) };
}
