/** What an agent says, as far as it is read. The SDK checks what is asked of us, not what is answered. */
import { z } from "zod";
import { parseTagMeta, type TurnTag } from "./turn-tag.ts";

export interface InitializeAnswer {
  readonly protocolVersion: number;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canClose: boolean;
  /** Not a part of the stable protocol yet. */
  readonly canFork: boolean;
  readonly canSteer: boolean;
  /** It calls tools by HTTP; each agent does by a program that it starts. */
  readonly canCallHttp: boolean;
  readonly canSeeImages: boolean;
}

/** What a session can be set to. */
export interface SessionOffer {
  /** Absent: it has no modes. */
  readonly modes?: readonly string[];
  /** Other settings, of which one may hold the mode. */
  readonly options: readonly ConfigOption[];
}

/** A setting with a list of values. */
export interface ConfigOption {
  readonly id: string;
  /** What it is about, in the protocol's words; agents need not say. */
  readonly category?: string | undefined;
  readonly current?: string | undefined;
  readonly values: readonly { readonly value: string; readonly name: string }[];
}

export interface PromptAnswer {
  readonly stopReason: string;
  /** Only newer agents tell it. */
  readonly usage?: Partial<Record<UsageField, number>>;
}

export type UsageField =
  | "totalTokens"
  | "inputTokens"
  | "outputTokens"
  | "thoughtTokens"
  | "cachedReadTokens"
  | "cachedWriteTokens";

/** Of the many kinds of updates a few are heard; newer ones must not fail. */
export interface SessionUpdate {
  readonly sessionUpdate: string;
  readonly messageId?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Of a tool call. */
  readonly status?: string | undefined;
  readonly content?: { readonly text: string } | undefined;
  /** What the session has cost so far, where the agent counts in US dollars. */
  readonly costUsd?: number | undefined;
}

/** An update as it comes in. */
export interface ArrivedUpdate {
  readonly sessionId: string;
  readonly update: SessionUpdate;
  /** The tag of the prompt it belongs to, where the agent says so by what the prompt carried. */
  readonly echo: TurnTag | undefined;
}

const initialize = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().optional(),
      promptCapabilities: z.object({ image: z.boolean().optional() }).nullish(),
      mcpCapabilities: z.object({ http: z.boolean().optional() }).nullish(),
      sessionCapabilities: z
        .object({
          resume: z.looseObject({}).nullish(),
          close: z.looseObject({}).nullish(),
          fork: z.looseObject({}).nullish().catch(undefined),
        })
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
    canClose: agentCapabilities?.sessionCapabilities?.close != null,
    canFork: agentCapabilities?.sessionCapabilities?.fork != null,
    canCallHttp: agentCapabilities?.mcpCapabilities?.http === true,
    canSeeImages: agentCapabilities?.promptCapabilities?.image === true,
    canSteer: _meta?.steering?.supported === true,
  };
}

const value = z.object({ value: z.string(), name: z.string() });
const options = z
  .array(
    z.object({
      id: z.string(),
      type: z.string(),
      category: z.string().nullish(),
      currentValue: z.string().optional().catch(undefined),
      options: z
        .array(z.union([value, z.object({ options: z.array(value) })]))
        .optional()
        .catch(undefined),
    }),
  )
  .nullish()
  .catch(undefined);
const session = z
  .object({
    modes: z.object({ availableModes: z.array(z.object({ id: z.string() })) }).nullish(),
    configOptions: options,
  })
  .nullish();

export function parseOffer(answer: unknown): SessionOffer {
  const { modes, configOptions } = session.parse(answer) ?? {};
  return {
    ...(modes == null ? {} : { modes: modes.availableModes.map(({ id }) => id) }),
    options: buildOptions(configOptions),
  };
}

/** What an agent says behind a setting that was changed: all of them, as they are now. */
export function parseOptions(answer: unknown): readonly ConfigOption[] {
  return buildOptions(z.object({ configOptions: options }).parse(answer).configOptions);
}

function buildOptions(given: z.infer<typeof options>): readonly ConfigOption[] {
  return (given ?? []).flatMap(({ id, type, category, currentValue, options: listed }) => {
    if (type !== "select") return [];
    const values = (listed ?? []).flatMap((one) => ("options" in one ? one.options : [one]));
    return [{ id, category: category ?? undefined, current: currentValue, values }];
  });
}

/** The setting of that category; one that says none is known by its id. */
export function findOption({ options: offered }: SessionOffer, category: string): ConfigOption | undefined {
  return offered.find((option) => (option.category ?? option.id) === category);
}

const newSession = z.object({ sessionId: z.string().min(1) });

export function parseSessionId(answer: unknown): string {
  return newSession.parse(answer).sessionId;
}

const count = z.number().int().min(0).optional();
const prompt = z.object({
  stopReason: z.string(),
  usage: z
    .object({
      totalTokens: count,
      inputTokens: count,
      outputTokens: count,
      thoughtTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
    })
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
  _meta: z.unknown().optional(),
  update: z.object({
    sessionUpdate: z.string(),
    _meta: z.unknown().optional(),
    messageId: z.string().optional().catch(undefined),
    toolCallId: z.string().optional().catch(undefined),
    status: z.string().optional().catch(undefined),
    content: z
      .object({ type: z.literal("text"), text: z.string() })
      .optional()
      .catch(undefined),
    cost: z
      .object({ amount: z.number().min(0), currency: z.literal("USD") })
      .optional()
      .catch(undefined),
  }),
});

export function parseUpdate(params: unknown): ArrivedUpdate {
  const { sessionId, update, _meta } = notification.parse(params);
  const { cost, _meta: inner, ...said } = update;
  const costUsd = said.sessionUpdate === "usage_update" ? cost?.amount : undefined;
  // By the protocol either may carry it.
  const echo = parseTagMeta(_meta) ?? parseTagMeta(inner);
  return { sessionId, echo, update: costUsd === undefined ? said : { ...said, costUsd } };
}
