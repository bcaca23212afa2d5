import type { TelegramEmulator, TelegramUser } from "@banyan/emulator-telegram";
import type { ChannelConnection, OutboundMessage } from "@banyan/plugin-sdk";
import { openTelegramTown } from "../telegram-town.ts";
import { buildOutbound, type TestAccount, type TestAccountOptions } from "../test-account.ts";

const TURN = "turn-1";
const ANSWER = { deliveryId: "answer", turnId: TURN } as const;

/** An account that lives, and the answer that grows in Ada's chat. */
export interface GrowingLife {
  readonly account: TestAccount;
  readonly connection: ChannelConnection;
  grow(textSoFar: string, turn?: Partial<Pick<OutboundMessage, "turnId" | "address">>): void;
  ends(): void;
  /** Delivers the answer, or what is given of it otherwise; resolves with the message's id. */
  answers(text: string, part?: Partial<OutboundMessage>): Promise<number>;
  /** Passes the time of an alarm of just this delay, as soon as there is one. */
  passes(delayMs: number): Promise<void>;
}

export interface GrowingTown {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  /** Another process; `cursor`: what an earlier one has stored. */
  lives(options?: TestAccountOptions): Promise<GrowingLife>;
}

export async function openGrowingTown(): Promise<GrowingTown> {
  const { telegram, ada, createAccount } = await openTelegramTown();
  await ada.starts();
  return {
    telegram,
    ada,
    async lives(options) {
      const account = createAccount(options);
      const connection = await account.connect();
      const { progress, send } = connection;
      if (progress === undefined) throw new Error("no growing answers");
      const { address } = buildOutbound(ada.id, "-");
      return {
        account,
        connection,
        grow: (textSoFar, turn) => progress.update({ turnId: TURN, address, textSoFar, ...turn }),
        ends: () => progress.end({ turnId: TURN, address }),
        answers: async (text, part) =>
          Number((await send(buildOutbound(ada.id, text, { ...ANSWER, ...part }))).platformId),
        async passes(delayMs) {
          await account.clock.awaitAlarm(delayMs);
          account.clock.advance(delayMs);
        },
      };
    },
  };
}
