import { z } from "zod";
import type { ModelProvider } from "./model-provider.ts";
import { ModelUnavailable } from "./model-unavailable.ts";

/** A list is short and at hand; whoever does not give it in that time hangs. */
const LIST_LIMIT_MS = 10_000;
const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** The name of the model that an OpenAI-compatible server lists first (`GET /models`): a server of one's own has one or two. */
export async function findFirstModel(name: string, { baseUrl, apiKey }: ModelProvider): Promise<string> {
  const url = `${baseUrl?.replace(/\/+$/u, "")}/models`;
  const cure = "name a model, such as “provider/model”";
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LIST_LIMIT_MS),
    });
    if (!response.ok)
      throw new ModelUnavailable(name, `its server lists no models, status ${response.status}; ${cure}`);
    const [first] = listSchema.parse(await response.json()).data;
    if (first === undefined) throw new ModelUnavailable(name, `its server has no models; ${cure}`);
    return first.id;
  } catch (cause) {
    if (cause instanceof ModelUnavailable) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ModelUnavailable(name, `its server's list of models was not to be had (${why}); ${cure}`, { cause });
  }
}
