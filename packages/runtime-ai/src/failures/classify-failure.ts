import { AISDKError, APICallError } from "ai";
import { ModelUnavailable } from "../models/model-unavailable.ts";

/** `passing`: the same request may succeed later. `lasting`: it will not. */
export type Failure =
  | { readonly kind: "passing"; readonly text: string; readonly retryAfterMs?: number }
  | { readonly kind: "lasting"; readonly text: string; readonly isKeyRefused?: boolean };

/** Statuses below 500 that pass: time-outs, conflicts, rate limits (RFC 9110 and 6585). */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** The key itself; 403 may also be about the model, the region or the account (RFC 9110). */
const KEY_REFUSED = 401;
const FIRST_ERROR_STATUS = 400;
const FIRST_SERVER_STATUS = 500;
/** Of the AI SDK: what is wrong with the request itself. */
const LASTING_NAMES: ReadonlySet<string> = new Set([
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
  "AI_LoadAPIKeyError",
  "AI_NoSuchModelError",
  "AI_UnsupportedFunctionalityError",
]);
/** A provider's words: enough to understand, never a page of HTML. */
const TEXT_LIMIT_CHARS = 300;

/** With which servers refuse what they cannot read or find no model for (RFC 9110), among it pictures. */
const IMAGE_STATUSES: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

/** Whether a request that held pictures may have failed for them. Pure. */
export function isImageRefusal(error: unknown): boolean {
  return APICallError.isInstance(error) && error.statusCode !== undefined && IMAGE_STATUSES.has(error.statusCode);
}

/** What a failed request to a model means. Anything unknown is taken for the network's, which passes. Pure. */
export function classifyFailure(error: unknown): Failure {
  const text = formatReason(error);
  if (error instanceof ModelUnavailable) return { kind: "lasting", text };
  if (APICallError.isInstance(error)) return classifyCall(error, text);
  if (AISDKError.isInstance(error) && LASTING_NAMES.has(error.name)) return { kind: "lasting", text };
  return { kind: "passing", text };
}

function classifyCall(error: APICallError, reason: string): Failure {
  const { statusCode, responseHeaders = {}, responseBody = "" } = error;
  // A stream that breaks behind a good status is the network's.
  if (statusCode === undefined || statusCode < FIRST_ERROR_STATUS) return { kind: "passing", text: reason };
  const text = `status ${statusCode}, ${JSON.stringify(reason)}`;
  // OpenAI's word for an empty account, which no waiting fills ("Error codes").
  const isBroke = responseBody.includes("insufficient_quota");
  const isPassing = PASSING_STATUSES.has(statusCode) || statusCode >= FIRST_SERVER_STATUS;
  if (!isPassing || isBroke) {
    return { kind: "lasting", text: `${text}${formatCure(statusCode)}`, isKeyRefused: statusCode === KEY_REFUSED };
  }
  const retryAfterMs = readRetryAfterMs(responseHeaders);
  return { kind: "passing", text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function formatCure(status: number): string {
  if (status === 403) return "; check the provider's apiKey";
  if (status === 404) return "; check the model's name and the provider's baseUrl";
  return "";
}

const TITLES: Readonly<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

/** The sentence for people. `model` is `provider/name`. Pure. */
export function formatFailure(model: string, failure: Failure): string {
  const [provider = ""] = model.split("/");
  const isKeyRefused = failure.kind === "lasting" && failure.isKeyRefused === true;
  if (isKeyRefused) return `${TITLES[provider] ?? provider} rejected the API key (${KEY_REFUSED}). Fix it, then retry.`;
  return `The model ${model} failed: ${failure.text}.${failure.kind === "passing" ? " Try again later." : ""}`;
}

/** Seconds, as all model providers send it; `retry-after-ms` is OpenAI's finer one. A date is not waited for. */
function readRetryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const fine = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (fine >= 0) return fine;
  const seconds = Number.parseFloat(headers["retry-after"] ?? "");
  return seconds >= 0 ? seconds * 1_000 : undefined;
}

function formatReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const text =
    error instanceof Error ? `${error.message}${cause}` : typeof error === "string" ? error : JSON.stringify(error);
  const line = (text ?? "no reason").replaceAll(/\s+/gu, " ").trim();
  return line.length > TEXT_LIMIT_CHARS ? `${line.slice(0, TEXT_LIMIT_CHARS)}…` : line;
}
