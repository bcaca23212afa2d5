import { type Refusal, refuse } from "../answers/answer.ts";

/** What can be wrong with an account as a whole; "none" ends it. */
export const BOT_TROUBLES = [
  "none",
  "revoked",
  "invalid-token",
  "unknown",
  "logged-out",
  "closed",
  "misdirected",
  "frozen",
] as const;
export type BotTrouble = (typeof BOT_TROUBLES)[number];

/** A frozen account may still look, but change nothing. */
const READING = /^(get|delete.*webhook)/i;

/** What every call of such a bot is answered with. */
export function findTrouble(trouble: BotTrouble, method: string): Refusal | undefined {
  switch (trouble) {
    case "none":
      return undefined;
    case "revoked":
      return refuse(401, "Unauthorized");
    case "invalid-token":
      return refuse(401, "Unauthorized: invalid token specified");
    case "unknown":
      return refuse(404, "Not Found");
    case "logged-out":
      return refuse(400, "Logged out");
    case "closed":
      return refuse(400, "Bad Request: the bot has already been closed");
    case "misdirected":
      return refuse(421, "Misdirected Request: unallowed token specified");
    case "frozen":
      return READING.test(method) ? undefined : refuse(406, "FROZEN_METHOD_INVALID");
  }
}
