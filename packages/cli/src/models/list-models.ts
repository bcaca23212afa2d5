import type { ProviderConfig } from "@banyan/core";
import { z } from "zod";

/** Who asks waits at a terminal. */
const LIMIT_MS = 10_000;
const ANTHROPIC_URL = "https://api.anthropic.com/v1";
/** The version of its API that Anthropic wants to be named ("Versions" of its API reference). */
const ANTHROPIC_VERSION = "2023-06-01";
const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

export type ProviderAddress = Pick<ProviderConfig, "kind" | "baseUrl" | "apiKey">;

/** The models that a provider lists, with its key. Throws a sentence that says what is wrong and what to do. */
export async function listModels(provider: ProviderAddress): Promise<readonly string[]> {
  const { kind, baseUrl = ANTHROPIC_URL, apiKey } = provider;
  const place = baseUrl.replace(/\/+$/u, "");
  const response = await ask(`${place}/models`, buildHeaders(kind, apiKey));
  if (response.status === 401 || response.status === 403)
    throw new Error(`${place} rejected the API key (${response.status}); check apiKey`);
  if (!response.ok) throw new Error(`${place} does not list its models (${response.status}); check baseUrl`);
  const listed = listSchema.safeParse(await readJson(response));
  if (!listed.success) throw new Error(`${place} does not list its models; check baseUrl, which often ends in /v1`);
  return listed.data.data.map(({ id }) => id);
}

async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new Error(`${url} does not respond (${why}); check that the server runs`, { cause });
  }
}

/** What is no JSON is no list. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}

function buildHeaders(kind: ProviderConfig["kind"], apiKey: string | undefined): Readonly<Record<string, string>> {
  if (kind === "anthropic") return { "anthropic-version": ANTHROPIC_VERSION, "x-api-key": apiKey ?? "" };
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}
