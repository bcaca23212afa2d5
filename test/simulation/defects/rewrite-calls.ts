import { buildDiscordApi, type Call, type DiscordApi } from "../../../plugins/discord/src/rest/discord-api.ts";

/** Calls of the platform with threads that are made otherwise, or are answered without being made. */
export function rewriteCalls(
  api: DiscordApi,
  rewrite: (call: Call) => Call | { readonly answer: unknown },
): DiscordApi {
  return buildDiscordApi(async (call) => {
    const changed = rewrite(call);
    return "answer" in changed ? changed : api.attempt(changed);
  });
}
