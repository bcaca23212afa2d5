/** Log lines that help the operator with messages that were refused: a group that is not listed, a clock that is wrong. */
import { type InboundMessage, type Log, parseAddress } from "@banyan/plugin-sdk";

/** More groups than any bot is added to, and few enough to remember. */
const MAX_NAMED_GROUPS = 1_000;

/** A single message may have been on its way for long. Several in a row may mean that this machine's clock is wrong. */
const SUSPICIOUS_IN_A_ROW = 2;

export interface OperatorHints {
  /** Logs the id of a group that is not listed, once per group. */
  noteGroup(message: Pick<InboundMessage, "address" | "guild">): void;
  /**
   * Called for every message. Logs a suspicion when messages in a row are too old. `seq`: of the message's item in the
   * store; a message that the platform delivers again has the same one, and does not count.
   */
  noteAge(message: { readonly at: number; readonly seq: number; readonly isTooOld: boolean }, now: number): void;
}

export function createOperatorHints(log: Log): OperatorHints {
  const named = new Set<string>();
  let tooOldInARow = 0;
  let newestSeq = Number.NEGATIVE_INFINITY;
  return {
    noteGroup({ address, guild }) {
      const { channel, account, chat } = parseAddress(address);
      const name = `${channel}/${account}/${chat}`;
      if (named.has(name) || named.size >= MAX_NAMED_GROUPS) return;
      named.add(name);
      if (guild === undefined) {
        const line = "a group is not on the list: name its chat in groups.allow to take part in it";
        log.info({ channel, account, chat }, line);
      } else {
        const line =
          "a group is not on the list: name its chat in groups.allow, or its server in groups.guilds for all of the server's chats, to take part in it";
        log.info({ channel, account, chat, guild }, line);
      }
    },
    noteAge({ at, seq, isTooOld }, now) {
      if (seq <= newestSeq) return;
      newestSeq = seq;
      tooOldInARow = isTooOld ? tooOldInARow + 1 : 0;
      if (tooOldInARow !== SUSPICIOUS_IN_A_ROW) return;
      const fields = { clock: formatTime(now), message: formatTime(at) };
      log.warn(fields, "messages in a row are older than catchUpHours and left out: is this machine's clock right?");
    },
  };
}

function formatTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.valueOf()) ? String(ms) : time.toISOString();
}
