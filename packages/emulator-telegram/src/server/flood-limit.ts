/** Limits on what a bot sends; a limit that is left out does not apply. */
export interface FloodLimits {
  /** Over all chats of one bot; the Bot FAQ says about 30. */
  readonly perSecond?: number;
  /** In one chat; the Bot FAQ says about 1. */
  readonly perChatPerSecond?: number;
}

/** Counts sends in windows of one second; off unless a test sets a limit. */
export class FloodLimit {
  readonly #limits: FloodLimits;
  readonly #isOff: boolean;
  #windowS = 0;
  readonly #sent = new Map<string, number>();

  constructor(limits: FloodLimits) {
    this.#limits = limits;
    this.#isOff = limits.perSecond === undefined && limits.perChatPerSecond === undefined;
  }

  /** The seconds to wait where the call is one too many; a call let through is counted. */
  check(method: string, botId: number, chatId: unknown, nowMs: number): number | undefined {
    if (this.#isOff || (method !== "sendMessage" && method !== "editMessageText")) return undefined;
    const windowS = Math.floor(nowMs / 1000);
    if (windowS !== this.#windowS) this.#sent.clear();
    this.#windowS = windowS;

    const botKey = String(botId);
    const chatKey = `${botId}/${chatId}`;
    const ofBot = this.#sent.get(botKey) ?? 0;
    const ofChat = this.#sent.get(chatKey) ?? 0;
    const { perSecond = Number.POSITIVE_INFINITY, perChatPerSecond = Number.POSITIVE_INFINITY } = this.#limits;
    if (ofBot >= perSecond || ofChat >= perChatPerSecond) return 1;
    this.#sent.set(botKey, ofBot + 1);
    this.#sent.set(chatKey, ofChat + 1);
    return undefined;
  }
}
