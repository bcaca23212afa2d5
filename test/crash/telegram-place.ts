/** A direct chat on Telegram, which knows no repeat of what it is sent, and takes the same edit any number of times. */
import { createTelegramEmulator, EmulatorError, type TelegramUser } from "@banyan/emulator-telegram";
import type { DeliveryRow } from "@banyan/store";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { EVERY_EDIT_REFUSED } from "../stage/refused-edit.ts";
import type { GatewayLives } from "./gateway-lives.ts";
import type { TraceRules, TreeCall, TreeDoor, TreePlace } from "./tree-place.ts";

export interface TelegramPlaceOptions {
  /** The account's setting of this name. */
  readonly delivery?: "anchor" | "at-least-once" | "at-most-once";
  /** So many lines are recited in the chat: they stand there in order, and where they come by edits none stands twice. */
  readonly lines?: number;
  /** The account's setting of this name. */
  readonly growingAnswers?: "edits";
  /** Behind so many messages one never comes, and nobody hears whether it did. */
  readonly lostSend?: number;
  /** Telegram refuses every edit: what was to be edited stays as it is, and each message says all by itself. */
  readonly refusesEdits?: boolean;
}

/**
 * What is edited later stands behind as it was begun, where its id died with a process; a status that the dead process may
 * still have changed becomes no result and only says that the run has ended; a call has at most one copy.
 */
export const ANCHOR_TRACES: TraceRules = {
  leftover:
    /^🌱 |what it has to say follows\.$|^⏳ \d+ of \d+$|^\d+ sub-agents have ended\.(\n• [^\n]*)+$|^[✅❌⏱⏹⚠] (?!.* · )[^\n]*(done|failed|out of time|stopped|interrupted)\.$/,
  call: /^[✅❌⏱⏹⚠] (?!.* · )[^\n]*: see above\.$/,
};
/** What stays where edits are refused. */
const LEFT_BEHIND = /^🌱 |what it has to say follows\.$|^⏳ \d+ of \d+$/;
const AFTER_ONE: TreeDoor = { at: "answer", skip: 1, end: "cut" };
const MARK = "(may be repeated)";

export async function openTelegramPlace(options: TelegramPlaceOptions = {}): Promise<TreePlace> {
  const { delivery = "anchor", lines, growingAnswers, lostSend, refusesEdits = false } = options;
  const telegram = await createTelegramEmulator({});
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const texts = async () =>
    (await ada.messages()).map(({ text }) => text).filter((text) => !refusesEdits || !LEFT_BEHIND.test(text));
  const account = {
    ...(delivery !== "anchor" && { delivery }),
    ...(growingAnswers !== undefined && { growingAnswers }),
  };
  if (refusesEdits) await telegram.faults.add(EVERY_EDIT_REFUSED);
  if (lostSend !== undefined)
    await telegram.faults.add({ kind: "drop-request", method: "sendMessage", skip: lostSend, times: 1 });
  return {
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" },
    config: { channels: { telegram: { accounts: { default: account } } } },
    files: {},
    marksRepeats: delivery !== "at-most-once",
    ...(delivery === "anchor" ? { traces: ANCHOR_TRACES } : {}),
    says: async (text) => void (await telegram.sayAll([{ user: ada, text }])),
    presses: (label) => press(ada, label),
    texts,
    async lose(call: TreeCall, { end, ...aim }: TreeDoor = AFTER_ONE) {
      const method = call === "edit" ? "editMessageText" : "sendMessage";
      const gate = await telegram.faults.hold({ method, ...aim, times: 1 });
      return { taken: () => gate.reached(1, 60_000), end: () => (end === "cut" ? gate.cut() : gate.release()) };
    },
    async findFault(lives) {
      if (lines === undefined) return undefined;
      const said = await texts();
      return (
        findLineFault(said, lines, refusesEdits ? "at-least-once" : delivery) ??
        findUnknownFault(said, await readDeliveries(lives))
      );
    },
    close: () => telegram.close(),
  };
}

/** What the bot answers to the press alone is a courtesy, which a death may take. */
async function press(ada: TelegramUser, label: string): Promise<boolean> {
  try {
    await ada.presses(label, { timeoutMs: 0 });
    return true;
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    return false;
  }
}

/** Edited in they stand there once each, with no mark. Else a marked message may hold some again, or none be there. */
function findLineFault(
  texts: readonly string[],
  count: number,
  delivery: NonNullable<TelegramPlaceOptions["delivery"]>,
): string | undefined {
  const said = texts.flatMap((text) => [...text.matchAll(/^line (\d+)$/gm)].map(([, line]) => Number(line)));
  const isMarked = texts.some((text) => text.startsWith(MARK) && /^line \d+$/m.test(text));
  const found = delivery === "anchor" && !isMarked ? said : [...new Set(said)];
  const isInOrder = found.every((line, index) => line > (found[index - 1] ?? 0));
  const isWhole = delivery === "at-most-once" || found.length === count;
  if (isInOrder && isWhole && !(delivery !== "at-least-once" && isMarked)) return undefined;
  return `the lines are not as they were recited${isMarked ? ", and some are marked" : ""}: ${found}`;
}

function readDeliveries(lives: GatewayLives): Promise<readonly DeliveryRow[]> {
  return lives.read((read) => read.deliveries({ limit: 100 }));
}

/** What was sent stands there, or has become something else; of what is not known the store says so. */
function findUnknownFault(texts: readonly string[], rows: readonly DeliveryRow[]): string | undefined {
  const open = rows.filter(({ state }) => !["sent", "sent_maybe_repeated", "unknown"].includes(state));
  const claimed = new Set(rows.map(({ claims }) => claims));
  const known = rows.filter(({ id, state }) => state !== "unknown" && !claimed.has(id)).length;
  if (open.length === 0 && texts.length >= known) return undefined;
  return `${texts.length} messages stand there, and in the store are ${rows.map(({ id, state }) => `${id} ${state}`)}`;
}
