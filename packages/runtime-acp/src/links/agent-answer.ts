/** What an agent says, as far as it is read. The SDK checks what is asked of us, not what is answered. */
import { z } from "zod";

export interface InitializeAnswer {
  readonly protocolVersion: number;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  /** Not a part of the stable protocol yet. */
  readonly canFork: boolean;
  readonly canSteer: boolean;
  /** It calls tools by HTTP; each agent does by a program that it starts. */
  readonly canCallHttp: boolean;
}

/** What a session can be set to. */
export interface SessionOffer {
  /** Absent: it has no modes. */
  readonly modes?: readonly string[];
  /** The setting that holds the mode, where that is one among others. */
  readonly modeOption?: string;
}

export interface PromptAnswer {
  readonly stopReason: string;
  /** Only newer agents tell it. */
  readonly usage?: Partial<Record<UsageField, number>>;
}

export type UsageField = "inputTokens" | "outputTokens" | "cachedReadTokens" | "cachedWriteTokens";

/** Of the many kinds of updates a few are heard; newer ones must not fail. */
export interface SessionUpdate {
  readonly sessionUpdate: string;
  readonly messageId?: string | undefined;
  readonly content?: { readonly text: string } | undefined;
}

const initialize = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().optional(),
      mcpCapabilities: z.object({ http: z.boolean().optional() }).nullish(),
      sessionCapabilities: z
        .object({ resume: z.looseObject({}).nullish(), fork: z.looseObject({}).nullish().catch(undefined) })
        .optional(),
    })
    .optional(),
  // An extension that several agents share, not yet a part of the protocol.
  _meta: z.object({ steering: z.object({ supported: z.boolean().optional() }).optional() }).nullish(),
});

export function parseInitialize(answer: unknown): InitializeAnswer {
  const { protocolVersion, agentCapabilities, _meta } = initialize.parse(answer);
  return {
    protocolVersion,
    canLoad: agentCapabilities?.loadSession === true,
    canResume: agentCapabilities?.sessionCapabilities?.resume != null,
    canFork: agentCapabilities?.sessionCapabilities?.fork != null,
    canCallHttp: agentCapabilities?.mcpCapabilities?.http === true,
    canSteer: _meta?.steering?.supported === true,
  };
}

const session = z
  .object({
    modes: z.object({ availableModes: z.array(z.object({ id: z.string() })) }).nullish(),
    configOptions: z
      .array(z.object({ id: z.string(), type: z.string(), category: z.string().nullish() }))
      .nullish()
      .catch(undefined),
  })
  .nullish();

export function parseOffer(answer: unknown): SessionOffer {
  const { modes, configOptions } = session.parse(answer) ?? {};
  const option = configOptions?.find(({ category, type }) => category === "mode" && type === "select");
  return {
    ...(modes == null ? {} : { modes: modes.availableModes.map(({ id }) => id) }),
    ...(option === undefined ? {} : { modeOption: option.id }),
  };
}

const newSession = z.object({ sessionId: z.string().min(1) });

export function parseSessionId(answer: unknown): string {
  return newSession.parse(answer).sessionId;
}

const count = z.number().int().min(0).optional();
const prompt = z.object({
  stopReason: z.string(),
  usage: z
    .object({ inputTokens: count, outputTokens: count, cachedReadTokens: count, cachedWriteTokens: count })
    .optional()
    .catch(undefined),
});

export function parsePromptAnswer(answer: unknown): PromptAnswer {
  const { stopReason, usage } = prompt.parse(answer);
  const known = Object.entries(usage ?? {}).filter(([, value]) => value !== undefined);
  return known.length === 0 ? { stopReason } : { stopReason, usage: Object.fromEntries(known) };
}

const steering = z.object({ outcome: z.string() });

export function parseSteeringOutcome(answer: unknown): string {
  return steering.parse(answer).outcome;
}

const notification = z.object({
  sessionId: z.string(),
  update: z.object({
    sessionUpdate: z.string(),
    messageId: z.string().optional().catch(undefined),
    content: z
      .object({ type: z.literal("text"), text: z.string() })
      .optional()
      .catch(undefined),
  }),
});

export function parseUpdate(params: unknown): { readonly sessionId: string; readonly update: SessionUpdate } {
  return notification.parse(params);
}
