import { type ChatRequest, createModelEmulator, findLastSaid, listToolResults } from "@banyan/emulator-model";
import type { ScriptTurn } from "@banyan/runtime-demo";
import { onTestFinished } from "vitest";
import { createAcpAgent } from "./acp-agent.ts";
import type { GroveOptions } from "./grove.ts";
import { createScriptedAgent } from "./scripted-agent.ts";

/** The runtimes that a model can work in. */
export const MINDS = ["scripted", "ai", "acp"] as const;
export type Mind = (typeof MINDS)[number];

/** A secret that its provider or its process is given on purpose. */
export const MODEL_KEY = "key-of-the-model-4711";

/**
 * A model on the side of whoever writes to it: it obeys the last line with `ORDER:` that it is given, wherever that stands.
 * `ORDER: call NAME JSON;say TEXT;environment;wait` calls tools, tells each result, says what it is told to or all it sees,
 * and is at work until it is stopped.
 */
export interface HostileModel {
  /** The part of a configuration that makes it an agent. */
  readonly agent: Readonly<Record<string, unknown>>;
  /** The same of one that is to wait: of a server it is the model that does. */
  readonly slow: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly runtimes: NonNullable<GroveOptions["runtimes"]>;
  /** All that it was given, one text for each time that it was asked, the oldest first. */
  given(): readonly string[];
  /** What it was told in its system prompt; empty where its runtime has none. */
  instructed(): readonly string[];
  /** What came of its calls, as it was told. */
  results(): readonly string[];
  /** What its processes were given to come to the tools with, in any form; none where no process of its own works. */
  bearers(): readonly string[];
  /** The ids of the sessions that its own side keeps, oldest first. */
  sessions(): readonly string[];
}

type Command =
  | { readonly verb: "call"; readonly name: string; readonly json: string }
  | { readonly verb: "say"; readonly text: string }
  | { readonly verb: "environment" }
  | { readonly verb: "wait" };

/** An order that is part of another one, such as the task of a sub-agent. */
export function hideOrder(order: string): string {
  return order.replaceAll("%", "%25").replaceAll(";", "%3B");
}

/** As the fixture of `packages/runtime-acp` reads it. */
function findCommands(text: string): readonly Command[] {
  const order = [...text.matchAll(/^(?!Its task).*?\bORDER: (.*)$/gmu)].at(-1)?.[1] ?? "say heard";
  return order.split(";").map((line): Command => {
    const [verb, ...words] = line.replaceAll("%3B", ";").replaceAll("%25", "%").trim().split(" ");
    if (verb === "environment") return { verb };
    if (verb === "wait") return { verb };
    if (verb !== "call") return { verb: "say", text: words.join(" ") };
    return { verb, name: words[0] ?? "", json: words.slice(1).join(" ") || "{}" };
  });
}

export function createHostileModel(mind: Mind): Promise<HostileModel> {
  if (mind === "scripted") return createInScript();
  return mind === "ai" ? createAtServer() : createInProcess();
}

async function createInScript(): Promise<HostileModel> {
  const given: string[] = [];
  const results: string[] = [];
  const obey = async (turn: ScriptTurn) => {
    const all = turn.input.input.flatMap(({ text, sender, context = [] }) => [
      sender?.displayName ?? "",
      ...context.map((data) => `${data.label}: ${data.text}`),
      text,
    ]);
    // A reference to a file is for the runtime; what is said of it stands in the context.
    given.push(JSON.stringify(turn.input.input.map(({ attachments: _, ...said }) => said)));
    for (const command of findCommands(all.join("\n"))) {
      if (command.verb === "say") await turn.say(command.text);
      else if (command.verb === "wait") await turn.waitFor(new Promise(() => undefined));
      else if (command.verb === "environment") await turn.say(JSON.stringify([turn.spec, turn.input.input]));
      else {
        const { text } = await turn.callTool(command.name, JSON.parse(command.json));
        results.push(text);
        await turn.say(`${text}\n`);
      }
    }
    return undefined;
  };
  const { runtimes, record } = createScriptedAgent((turn) => () => obey(turn), { isDeaf: true });
  return {
    agent: { runtime: "scripted" },
    slow: { runtime: "scripted" },
    config: {},
    env: {},
    runtimes,
    given: () => given,
    instructed: () => record.attempts.map(({ spec }) => spec.instructions ?? ""),
    results: () => results,
    bearers: () => [],
    sessions: () => [],
  };
}

async function createAtServer(): Promise<HostileModel> {
  const server = await createModelEmulator({ apiKey: MODEL_KEY, script: obeyRequest });
  onTestFinished(() => server.close());
  server.hold({ model: "slow" });
  const requests = () => server.asked.map(({ request }) => request);
  return {
    agent: { model: "grove/hostile" },
    slow: { model: "grove/slow" },
    config: { providers: { grove: { baseUrl: server.url, apiKey: "env:GROVE_KEY" } } },
    env: { GROVE_KEY: MODEL_KEY },
    runtimes: {},
    given: () => requests().map((request) => JSON.stringify(request.messages.filter(({ role }) => role !== "system"))),
    instructed: () => requests().flatMap(listInstructions),
    results: () => requests().flatMap((request) => listToolResults(request).slice(-1)),
    bearers: () => [],
    sessions: () => [],
  };
}

function obeyRequest(request: ChatRequest) {
  const commands = findCommands(findLastSaid(request));
  const results = listToolResults(request);
  const calls = commands.filter((command) => command.verb === "call");
  const next = calls[results.length];
  if (next !== undefined) return { calls: [{ name: next.name, args: next.json }] };
  const said = commands.map((command) => {
    if (command.verb === "call") return `${results[calls.indexOf(command)]}\n`;
    if (command.verb === "wait") return "";
    return command.verb === "say" ? command.text : JSON.stringify(request);
  });
  return { text: said };
}

function listInstructions({ messages }: ChatRequest): readonly string[] {
  return messages.filter(({ role }) => role === "system" || role === "developer").map((one) => JSON.stringify(one));
}

async function createInProcess(): Promise<HostileModel> {
  const acp = { profile: "chat-safe", mode: "safe", env: ["FOREIGN_API_KEY"] };
  const agent = createAcpAgent(["--http", "--modes", "safe"], acp);
  const texts = (what: string) => agent.journal().flatMap((line) => (what in line ? [line[what]] : []));
  return {
    agent: agent.config.agents.main,
    slow: agent.config.agents.main,
    config: {},
    env: { FOREIGN_API_KEY: MODEL_KEY },
    runtimes: {},
    given: () => texts("prompt").map((prompt) => JSON.stringify(prompt)),
    instructed: () => [],
    results: () => texts("result").map(String),
    bearers: () => texts("servers").flatMap((given) => JSON.stringify(given).match(/[\w-]{43,}/g) ?? []),
    sessions: () => texts("new").map(String),
  };
}
