/** What Discord says of its gateway ("Get Gateway Bot", docs.discord.com/developers/events/gateway). */
import type { APIGatewaySessionStartLimit, REST } from "discord.js";
import { z } from "zod";

const gatewayAnswer = z.object({
  url: z.string(),
  session_start_limit: z.object({
    total: z.number(),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.number().int().min(1),
  }),
});

/** Asked anew each time: the library's own answer is as old as the connection. */
export async function readStartLimit(rest: REST): Promise<APIGatewaySessionStartLimit> {
  return gatewayAnswer.parse(await rest.get("/gateway/bot")).session_start_limit;
}

/** The address for everybody, where it can be learnt. */
export async function findGatewayUrl(rest: REST): Promise<string | undefined> {
  const answer = await rest.get("/gateway/bot").catch(() => undefined);
  return gatewayAnswer.safeParse(answer).data?.url;
}
