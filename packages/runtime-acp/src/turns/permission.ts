import { createHash } from "node:crypto";
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { PermissionChoice, PermissionRequest, PermissionVerdict } from "@banyan/plugin-sdk";

type Option = RequestPermissionRequest["options"][number];
type ToolCall = RequestPermissionRequest["toolCall"];

const MOST_CHOICES = 4;
const TITLE_LIMIT_CHARS = 200;
const DETAIL_LIMIT_CHARS = 800;
const LABEL_LIMIT_CHARS = 60;

/** A question for a person, and the agent's own option behind each of its choices. */
export interface PermissionQuestion {
  readonly request: PermissionRequest;
  readonly options: ReadonlyMap<string, string>;
}

/**
 * Makes a question of an agent's request. `counted` is how often this turn was asked the same before: each time is a
 * question of its own, and a later attempt that asks the same again finds the answer. `undefined`: it leaves no choice.
 */
export function buildPermissionQuestion(
  { toolCall, options: offered }: RequestPermissionRequest,
  { counted, mayRemember }: { readonly counted: number; readonly mayRemember: boolean },
): PermissionQuestion | undefined {
  const taken = takeOptions(offered.filter(({ kind }) => mayRemember || kind !== "allow_always"));
  if (taken.length === 0) return undefined;
  const kinds = taken.map(({ kind }) => kind);
  const choices = taken.map(({ kind, name }, at): PermissionChoice => {
    const before = kinds.slice(0, at).filter((one) => one === kind).length;
    return {
      id: before === 0 ? kind : `${kind}-${before + 1}`,
      label: cut(name.trim() === "" ? kind.replace("_", " ") : name.trim(), LABEL_LIMIT_CHARS),
      isAllowing: isAllowing(kind),
    };
  });
  return {
    request: { id: `${hashCall(toolCall)}-${counted}`, text: formatCall(toolCall), choices },
    options: new Map(choices.map(({ id }, at) => [id, taken[at]?.optionId ?? ""])),
  };
}

/** The same for the same call, in each attempt: an agent numbers its calls anew. */
export function hashCall({ kind, title, rawInput }: ToolCall): string {
  const text = JSON.stringify([kind ?? null, title ?? null, rawInput ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What the agent is answered. A no is its own option for once, where it has one; a stop is none of them. */
export function formatVerdict(
  verdict: PermissionVerdict,
  { options, offered }: { readonly options: ReadonlyMap<string, string>; readonly offered: readonly Option[] },
): RequestPermissionResponse {
  if (verdict.kind === "denied" && verdict.why === "stopped") return CANCELLED;
  const chosen = verdict.kind === "chosen" ? options.get(verdict.choice.id) : undefined;
  const optionId = chosen ?? offered.find(({ kind }) => kind === "reject_once")?.optionId;
  return optionId === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId } };
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** One of each kind before a second of any: a person is to be able to say yes and no. */
function takeOptions(options: readonly Option[]): readonly Option[] {
  const first = options.filter(({ kind }, at) => options.findIndex((one) => one.kind === kind) === at);
  const rest = options.filter((option) => !first.includes(option));
  const taken = new Set([...first, ...rest].slice(0, MOST_CHOICES));
  return options.filter((option) => taken.has(option));
}

function isAllowing(kind: string): boolean {
  return kind.startsWith("allow");
}

function formatCall({ title, kind, rawInput }: ToolCall): string {
  const what = cut((title ?? kind ?? "something").replaceAll(/\s+/g, " ").trim(), TITLE_LIMIT_CHARS);
  const detail =
    rawInput === undefined || rawInput === null ? "" : cut(JSON.stringify(rawInput, null, 1), DETAIL_LIMIT_CHARS);
  const asked = `The agent asks for permission: ${quote(what)}`;
  return detail === "" ? asked : `${asked}\n${fence(detail)}`;
}

/** Words of the agent's: no markup of theirs is to look like the host's. */
function quote(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function fence(text: string): string {
  return `\`\`\`\n${text.replaceAll("```", "'''")}\n\`\`\``;
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text.toWellFormed();
}
