import { z } from "zod";

/** Which calls a fault meets; what is left out is any. */
export interface FaultAim {
  /** A template: "POST /channels/:channel/messages"; how its names are called does not matter. */
  readonly route?: string;
  readonly channelId?: string;
  readonly botId?: string;
  /** How many calls it meets; 1 if left out. A "hold" meets all until it is released. */
  readonly times?: number | "always";
  /** How many matching calls pass before it begins. */
  readonly skip?: number;
}

/** What goes wrong. "isAccepted" says whether the call has its effect before the bad answer; no if left out. */
type FaultEffect =
  /** The connection is destroyed; the call has no effect. */
  | { readonly kind: "cut" }
  /** The call has its effect, then the connection is destroyed without an answer. */
  | { readonly kind: "drop-answer" }
  /** Any status with any body: an object is JSON, a text is an HTML page; without one the page of a proxy. */
  | { readonly kind: "status"; readonly status: number; readonly body?: unknown; readonly isAccepted?: boolean }
  /** 429 (D9, D11, D12). */
  | {
      readonly kind: "rate-limit";
      readonly retryAfterMs: number;
      readonly scope?: "user" | "global" | "shared";
      /** The same as the scope "global". */
      readonly global?: boolean;
    }
  /** Status 200 and a body that is no JSON. */
  | { readonly kind: "garbage"; readonly isAccepted?: boolean }
  /** The answer comes after a time of the emulator's clock; the effect is at once. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** A gate before the effect, or between the effect and the answer. */
  | { readonly kind: "hold"; readonly at: "request" | "answer" };

export type Fault = FaultAim & FaultEffect;

const aim = {
  route: z
    .string()
    .regex(/^(GET|POST|PUT|PATCH|DELETE) \//)
    .exactOptional(),
  channelId: z.string().exactOptional(),
  botId: z.string().exactOptional(),
  times: z.union([z.int().min(1), z.literal("always")]).exactOptional(),
  skip: z.int().min(0).exactOptional(),
};
const isAccepted = z.boolean().exactOptional();

export const faultSchema: z.ZodType<Fault> = z.discriminatedUnion("kind", [
  z.strictObject({ ...aim, kind: z.literal("cut") }),
  z.strictObject({ ...aim, kind: z.literal("drop-answer") }),
  z.strictObject({
    ...aim,
    kind: z.literal("status"),
    status: z.int().min(200).max(599),
    body: z.unknown().exactOptional(),
    isAccepted,
  }),
  z.strictObject({
    ...aim,
    kind: z.literal("rate-limit"),
    retryAfterMs: z.number().min(0),
    scope: z.enum(["user", "global", "shared"]).exactOptional(),
    global: z.boolean().exactOptional(),
  }),
  z.strictObject({ ...aim, kind: z.literal("garbage"), isAccepted }),
  z.strictObject({ ...aim, kind: z.literal("delay"), delayMs: z.int().min(0) }),
  z.strictObject({ ...aim, kind: z.literal("hold"), at: z.enum(["request", "answer"]) }),
]);
