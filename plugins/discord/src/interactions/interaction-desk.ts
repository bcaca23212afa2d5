/**
 * Slash commands, completions of what is typed, and buttons. What is said by one is stored like any message before it is
 * acknowledged; the acknowledgement comes within Discord's three seconds, whatever else waits.
 */
import type { ChannelCommand, ChannelContext, Clock, InboundMessage, Log } from "@banyan/plugin-sdk";
import { type ButtonKey, type ButtonRefusal, parseButtonId } from "../commands/button-id.ts";
import type { BotIdentity } from "../inbound/bot-identity.ts";
import type { DiscordInteraction } from "../inbound/discord-interaction.ts";
import { parseInteraction } from "../inbound/parse-interaction.ts";
import {
  ASK_COMMAND,
  type InteractionSource,
  type TranslatedInteraction,
  translateInteraction,
} from "../inbound/translate-interaction.ts";
import { readSnowflakeTime } from "../snowflake.ts";
import {
  buildChoices,
  buildQuestion,
  buildWhisper,
  type InteractionAnswer,
  PONG_ANSWER,
} from "./interaction-answer.ts";

export interface InteractionDeskOptions extends Pick<ChannelContext<unknown>, "suggestTargets"> {
  readonly me: BotIdentity;
  readonly commands: readonly ChannelCommand[];
  readonly buttonKey: ButtonKey;
  /** Stores what somebody says; rejects where it was not stored. */
  readonly store: (message: InboundMessage) => Promise<"stored" | "duplicate" | "refused">;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

/** Does what an interaction says. Rejects where it was not stored, and may be called again. */
export type Interacting = () => Promise<void>;

/** Half of Discord's time; the rest is for the way there. */
const PATIENCE_MS = 1_500;
const LATE = "I have it; the answer takes a moment.";
const REFUSED = "You cannot do that here: this bot answers only those whom its owner lets in.";
const UNKNOWN = "I do not know that command here.";
const REFUSALS: Readonly<Record<ButtonRefusal, string>> = {
  forged: "This button is none of mine, or older than my present token.",
  expired: "This button is too old; type the command instead.",
  not_yours: "This button is for the one who asked.",
};
const ASKED_AWAY = "Asked.";
const TAKEN = "On it.";
/** "Interaction Type", docs.discord.com/developers/interactions/receiving-and-responding. */
const AUTOCOMPLETE = 4;

export class InteractionDesk {
  readonly #options: InteractionDeskOptions;

  constructor(options: InteractionDeskOptions) {
    this.#options = options;
  }

  /**
   * From now on the interaction is acknowledged in time, whatever happens: `answer` is called once, within Discord's time,
   * and must not reject; it is not waited for. What is given back does what the interaction says: it resolves when all is
   * stored; it rejects where it was not: call it again then.
   */
  begin(payload: object, answer: (answer: InteractionAnswer, to: DiscordInteraction) => Promise<void>): Interacting {
    const interaction = parseInteraction(payload);
    if (interaction === undefined) return async () => undefined;
    let isAnswered = false;
    const say = (said: InteractionAnswer): void => {
      if (!isAnswered) void answer(said, interaction);
      isAnswered = true;
    };
    const cancel = this.#options.clock.schedule(PATIENCE_MS, () => say(buildNote(interaction, LATE)));
    return async () => {
      const said = await this.#decide(interaction);
      cancel();
      say(said);
    };
  }

  async #decide(interaction: DiscordInteraction): Promise<InteractionAnswer> {
    const { me, commands, log } = this.#options;
    const translated = translateInteraction(interaction, { me, commands });
    switch (translated.kind) {
      case "ping":
        return PONG_ANSWER;
      case "command":
        return this.#store(translated.message, this.#describeAnswer(translated));
      case "autocomplete":
        return buildChoices(await this.#complete(translated));
      case "button":
        return this.#press(interaction.id, translated.customId, translated.source);
      case "ignored":
        log.debug({ why: translated.why }, "an interaction of Discord is left aside");
        return buildNote(interaction, UNKNOWN);
    }
  }

  #describeAnswer({ name, message }: Extract<TranslatedInteraction, { kind: "command" }>): InteractionAnswer {
    if (name !== ASK_COMMAND) return buildWhisper(TAKEN);
    return message.guild === undefined ? buildWhisper(ASKED_AWAY) : buildQuestion(message.text);
  }

  async #store(message: InboundMessage, answer: InteractionAnswer): Promise<InteractionAnswer> {
    const outcome = await this.#options.store(message);
    return outcome === "refused" ? buildWhisper(REFUSED) : answer;
  }

  async #complete({
    command,
    parameter,
    typed,
    source: { address, sender, guild },
  }: Extract<TranslatedInteraction, { kind: "autocomplete" }>): Promise<readonly { value: string; label: string }[]> {
    const { commands, suggestTargets, log } = this.#options;
    const parameters = commands.find(({ name }) => name === command)?.parameters;
    if (parameters?.find(({ name }) => name === parameter)?.kind !== "target") return [];
    try {
      return [...(await suggestTargets({ address, sender, typed, ...(guild !== undefined && { guild }) }))];
    } catch (err) {
      // Whoever types goes on typing; nothing was said that could be lost.
      log.warn({ err, command }, "what a command could be meant for is not known; nothing is suggested");
      return [];
    }
  }

  async #press(id: string, customId: string, source: InteractionSource): Promise<InteractionAnswer> {
    const { buttonKey: key, now } = this.#options;
    const pressed = parseButtonId(customId, { key, userId: source.sender.id, now: now() });
    if (pressed.kind === "refused") return buildWhisper(REFUSALS[pressed.why]);
    const { action, runId } = pressed.order;
    const { address, sender, guild } = source;
    const message: InboundMessage = {
      id,
      address,
      sender,
      text: `/${action} ${runId}`,
      at: readSnowflakeTime(id),
      ...(guild !== undefined && { guild, addressed: true }),
    };
    return this.#store(message, buildWhisper(TAKEN));
  }
}

/** While somebody types there is no place for words: an answer of another kind is refused. */
function buildNote({ type }: DiscordInteraction, words: string): InteractionAnswer {
  return type === AUTOCOMPLETE ? buildChoices([]) : buildWhisper(words);
}
