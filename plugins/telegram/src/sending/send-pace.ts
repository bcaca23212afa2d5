import { type Address, type Clock, type PaceAbility, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";

/** A token bucket by its full size and the time in which one token comes back. */
interface PaceRule {
  readonly burst: number;
  readonly refillMs: number;
}

/**
 * The pace of the bots' FAQ (core.telegram.org/bots/faq, "My bot is hitting limits"): about 30 messages a second over
 * all chats, 1 a second in one chat with short bursts above it, 20 a minute in a group. Burst and refill together never
 * pass these figures in any second or minute.
 */
const OVERALL: PaceRule = { burst: 5, refillMs: 1_000 / 25 };
const PRIVATE_CHAT: PaceRule = { burst: 3, refillMs: 1_000 };
const GROUP: PaceRule = { burst: 5, refillMs: 4_000 };
/** In a group as in a channel, beside the figure of a minute. */
const GROUP_SECOND: PaceRule = { burst: 1, refillMs: 1_000 };

/** When each bucket is full again, on the monotonic clock. Before that moment tokens are missing. */
interface ChatPace {
  readonly rules: readonly PaceRule[];
  fullAt: number[];
}

export interface SendPace extends PaceAbility {
  /** Chats remembered: those written to in the last 20 seconds, 500 at the account's pace. */
  readonly chatCount: number;
}

export function createSendPace(clock: Pick<Clock, "monotonic">): SendPace {
  let overallFullAt = 0;
  /** The one that sent last is last; those whose buckets are full again are forgotten from the front. */
  const chats = new Map<Address, ChatPace>();

  return {
    get chatCount() {
      return chats.size;
    },
    take(address) {
      const now = clock.monotonic();
      const chat = resolveChatOf(address);
      const pace = chats.get(chat) ?? openChat(address);
      const waitMs = Math.max(
        measureWait(OVERALL, overallFullAt, now),
        ...pace.rules.map((rule, at) => measureWait(rule, pace.fullAt[at] ?? 0, now)),
      );
      if (waitMs > 0) return Math.ceil(waitMs);
      overallFullAt = takeToken(OVERALL, overallFullAt, now);
      pace.fullAt = pace.rules.map((rule, at) => takeToken(rule, pace.fullAt[at] ?? 0, now));
      chats.delete(chat);
      chats.set(chat, pace);
      for (const [oldest, { fullAt }] of chats) {
        if (Math.max(...fullAt) > now) break;
        chats.delete(oldest);
      }
      return 0;
    },
  };
}

function openChat(address: Address): ChatPace {
  const rules = parseAddress(address).kind === "dm" ? [PRIVATE_CHAT] : [GROUP, GROUP_SECOND];
  return { rules, fullAt: [] };
}

/** How long until the bucket holds a token. */
function measureWait({ burst, refillMs }: PaceRule, fullAt: number, now: number): number {
  return fullAt - now - (burst - 1) * refillMs;
}

function takeToken({ refillMs }: PaceRule, fullAt: number, now: number): number {
  return Math.max(fullAt, now) + refillMs;
}
