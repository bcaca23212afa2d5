import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentRuntime,
  type Clock,
  type Completion,
  formatCompletion,
  type TranscriptEntry,
  type TurnMessage,
} from "@banyan/plugin-sdk";
import { createScriptedRuntime, type Script, type ScriptTurn } from "@banyan/runtime-demo";

/** Longer than the shortest time that a requester has for its answer. */
const DREAM_MS = 1_300;
/** By then a channel has shown how the answer begins. */
const GROWTH_MS = 4_000;

/**
 * An agent without a mood: what a message brings about stands in the message. `spawn {…}` calls `sessions_spawn` with
 * that, `dream {…}` as well and then takes its time, `recite N` answers so many lines, `write {…}` calls `sessions_send`,
 * `ask …` asks for a permission, `spend` uses 300 tokens, calls a tool and uses 200 more, `listen` waits for another word,
 * `use tool {…}` calls that tool, `hush` takes its time and says nothing, `grow` takes its time in the middle of the answer,
 * `ponder` says something and never ends, `hang` never ends, `poison` kills its process, `recall` tells what it is told of a turn that was cut off,
 * `letters?` tells how many messages that begin with `letter` it had. It tells what it heard of
 * sub-agents and how many files came with a message, and a sub-agent tells its task and the files that came with it.
 */
export function createTreeAgent(clock: Clock): AgentRuntime {
  const script: Script = (turn) => async () => {
    for (const message of turn.input.input) {
      const { text, completion } = message;
      const said =
        completion === undefined ? (await answer(turn, text, clock)) + countFiles(message) : tell(completion);
      await turn.say(`${said}\n`);
    }
    return undefined;
  };
  return createScriptedRuntime(script, { steer: "receipt" });
}

function tell(completion: Completion): string {
  const { label = "nameless", outcome, result } = completion;
  // How an agent would read it is part of the turn as well.
  return formatCompletion(completion) === "" ? "" : `told: ${label} ${outcome} ${result.trim()}`;
}

async function answer(turn: ScriptTurn, text: string, clock: Clock): Promise<string> {
  const [verb = ""] = text.split(" ", 1);
  if (verb === "hang") return turn.waitFor(new Promise<string>(() => undefined));
  if (verb === "poison") return poison();
  if (verb === "hush") return hush(turn, clock);
  if (verb === "grow") return grow(turn, clock);
  if (verb === "use") return use(turn, text.slice(verb.length).trim());
  if (verb === "spend") return spend(turn);
  if (verb === "ask") return ask(turn, text.slice(verb.length));
  if (verb === "listen") return `heard meanwhile: ${(await turn.takeSteer()).text}`;
  if (verb === "ponder") return ponder(turn);
  if (verb === "write") return write(turn, text.slice(verb.length));
  if (verb === "recall") return recall(turn);
  if (verb === "recite") return recite(Number(text.slice(verb.length)));
  if (verb === "letters?") return `letters so far: ${await countLetters(turn)}`;
  if (verb !== "spawn" && verb !== "dream") return `heard: ${text}${readFiles(turn)}`;
  const spawn: { label: string } = JSON.parse(text.slice(verb.length));
  const { text: said } = await turn.callTool("sessions_spawn", spawn);
  if (verb === "dream") await turn.waitFor(new Promise<void>((resolve) => void clock.schedule(DREAM_MS, resolve)));
  const { status, error = "" }: { status: string; error?: string } = JSON.parse(said);
  return `begun: ${spawn.label} ${status}${error}`;
}

function poison(): Promise<string> {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
}

async function hush(turn: ScriptTurn, clock: Clock): Promise<string> {
  await turn.waitFor(new Promise<void>((resolve) => void clock.schedule(DREAM_MS, resolve)));
  return "ANNOUNCE_SKIP";
}

async function use(turn: ScriptTurn, call: string): Promise<string> {
  const [tool = ""] = call.split(" ", 1);
  return `used: ${(await turn.callTool(tool, JSON.parse(call.slice(tool.length)))).text}`;
}

async function spend(turn: ScriptTurn): Promise<string> {
  turn.reportUsage({ inputTokens: 300, outputTokens: 0 });
  await turn.callTool("list_files", {});
  turn.reportUsage({ inputTokens: 300, outputTokens: 200 });
  return "spent";
}

async function ask({ input }: ScriptTurn, what: string): Promise<string> {
  const choices = [
    { id: "allow", label: "Allow", isAllowing: true },
    { id: "deny", label: "Deny", isAllowing: false },
  ];
  const verdict = await input.askPermission({ id: what, text: `May I${what}?`, choices });
  return verdict.kind === "chosen" ? `chosen: ${verdict.choice.id}` : `denied: ${verdict.why}`;
}

async function grow(turn: ScriptTurn, clock: Clock): Promise<string> {
  await turn.say("a tree that grows ");
  await turn.waitFor(new Promise<void>((resolve) => void clock.schedule(GROWTH_MS, resolve)));
  return "until it is told";
}

async function ponder(turn: ScriptTurn): Promise<string> {
  await turn.say("a thought without an end ");
  return turn.waitFor(new Promise<string>(() => undefined));
}

function recall({ input: { input } }: ScriptTurn): string {
  const told = input[0]?.context?.find(({ label }) => label === "what was cut off")?.text ?? "";
  return `recalled: ${/“(.*)”\nIt had said: (.*)/.exec(told)?.slice(1).join(", ") ?? "nothing"}`;
}

/** Each line tells which one it is, so that a part of them is known wherever it is cut. */
function recite(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `line ${line + 1}`).join("\n");
}

async function write(turn: ScriptTurn, args: string): Promise<string> {
  const { text } = await turn.callTool("sessions_send", JSON.parse(args));
  const { status, reply = "" }: { status: string; reply?: string } = JSON.parse(text);
  return `wrote: ${status} ${reply.trim()}`;
}

async function countLetters({ input }: ScriptTurn): Promise<number> {
  const isLetter = ({ role, content }: TranscriptEntry) =>
    role === "user" && content.some((part) => part.type === "text" && /^letter\b(?!s)/.test(part.text));
  return (await input.history()).filter(isLetter).length;
}

function countFiles({ context = [] }: TurnMessage): string {
  const files = context.find(({ label }) => label === "attachments")?.text.split("\n") ?? [];
  return files.length === 0 ? "" : ` (${files.length} files)`;
}

/** The folder is named in what the host tells a sub-agent. */
function readFiles({ spec }: ScriptTurn): string {
  const folder = /"(\.banyan\/[^"]+)"/.exec(spec.instructions ?? "")?.[1];
  if (folder === undefined) return "";
  const path = join(spec.workspaceDir, folder);
  return ` with ${readdirSync(path).map((name) => `${name}=${readFileSync(join(path, name), "utf8")}`)}`;
}
