import type { Attempted, Call, DiscordApi } from "../../../plugins/discord/src/rest/discord-api.ts";

/** Calls of the platform with threads that are made otherwise, or are answered without being made. */
export function rewriteCalls(
  api: DiscordApi,
  rewrite: (call: Call) => Call | { readonly answer: unknown },
): DiscordApi {
  const make = async <Answer>(call: Call, send: (changed: Call) => Promise<Answer>): Promise<Answer | unknown> => {
    const changed = rewrite(call);
    return "answer" in changed ? changed.answer : send(changed);
  };
  return {
    ...api,
    async attempt(call): Promise<Attempted> {
      const changed = rewrite(call);
      return "answer" in changed ? changed : api.attempt(changed);
    },
    call: (call) => make(call, api.call),
    find: (call) => make(call, api.find),
    look: (call) => make(call, api.look),
  };
}
