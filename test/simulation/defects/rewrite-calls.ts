import { buildDiscordApi, type Call, type DiscordApi } from "../../../plugins/discord/src/rest/discord-api.ts";

/** Calls of the platform with threads that are made otherwise, or are answered without being made. */
export function rewriteCalls(
  api: DiscordApi,
  rewrite: (call: Call) => Call | { readonly answer: unknown },
): DiscordApi {
  return buildDiscordApi(async (call) => {
    const changed = rewrite(call);
<<<<<<< HEAD
    return "answer" in changed ? changed : api.attempt(changed);
  });
=======
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
>>>>>>> 6021ffb20a105746884115bf810054d978b48f80
}
