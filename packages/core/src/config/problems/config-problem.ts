import { BanyanError, type ErrorCode } from "../../ports/errors.ts";
import { createSecretScrubber } from "../../ports/secret-scrubber.ts";
import { formatReceivedValue } from "../../sessions/keys/received-value.ts";
import { type ConfigPath, formatPath } from "./config-path.ts";

/** One thing that is wrong in a configuration. Printed as `path: Wrong (got …); cure`. */
export interface ConfigProblem {
  readonly path: ConfigPath;
  readonly wrong: string;
  /** Already formatted (`formatReceived`, `formatReceivedType`), so that no secret is carried along. Absent: it says nothing. */
  readonly received?: string;
  /** Absent where `wrong` says what to write. */
  readonly cure?: string;
}

/** Long enough for every word that can stand in a configuration, shorter than any platform's token. */
const QUOTED_LIMIT_CHARS = 24;

/** Says what was received. A string that is too long to be a word may be a pasted token: only its length is given. */
export function formatReceived(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && !mayQuote(value) ? formatReceivedType(value) : formatReceivedValue(value);
}

/** Whether a text is short enough to be a word and no pasted token. */
export function mayQuote(text: string): boolean {
  return text.length <= QUOTED_LIMIT_CHARS;
}

/** Says of what kind the received value is, where the value itself may be a secret. */
export function formatReceivedType(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty string" : `a string of ${value.length} characters`;
  if (typeof value === "number" || typeof value === "boolean") return `a ${typeof value}`;
  return formatReceivedValue(value);
}

export interface ProblemContext {
  /** The configuration's name in the message: the file, or what it was handed over by. */
  readonly title: string;
  readonly secrets?: readonly string[];
  /** Says where a value came from if not from the file, as `from BANYAN_PORT`. */
  readonly sourceOf?: (path: ConfigPath) => string | undefined;
}

/** Makes the one error that tells all problems at once. */
export function buildProblemsError(
  problems: readonly ConfigProblem[],
  context: ProblemContext,
  code: ErrorCode = "config_invalid",
): BanyanError {
  const lines = problems.map((problem) => `\n- ${formatProblem(problem, context)}`);
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const scrubber = createSecretScrubber(context.secrets);
  return new BanyanError(code, scrubber.scrub(`reading ${context.title}: ${count}${lines.join("")}`));
}

function formatProblem(problem: ConfigProblem, context: ProblemContext): string {
  const source = context.sourceOf?.(problem.path);
  const place = source === undefined ? formatPath(problem.path) : `${formatPath(problem.path)} (${source})`;
  const got = problem.received === undefined ? "" : ` (got ${problem.received})`;
  return `${place}: ${capitalize(problem.wrong)}${got}${problem.cure === undefined ? "." : `; ${problem.cure}`}`;
}

/** A sentence begins with a capital, but not one that begins with a name of the configuration, such as `per-peer`. */
function capitalize(sentence: string): string {
  return sentence.replace(/^[a-z]+(?![\w.-])/, (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
}
