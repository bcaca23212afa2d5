import { z } from "zod";

/** Which calls a fault meets; what is left out is any. */
interface FaultAim {
  readonly method?: string;
  readonly chatId?: number;
  readonly botId?: number;
  /** A part of the text. */
  readonly text?: string;
  /** How many calls it meets; 1 if left out. A "hold" meets all until it is released. */
  readonly times?: number | "always";
  /** How many matching calls pass before it begins. */
  readonly skip?: number;
}

/** What goes wrong. "isAccepted" says whether the call has its effect before the bad answer; no if left out. */
type FaultEffect =
  /** The connection is destroyed; the call has no effect. */
  | { readonly kind: "drop-request" }
  /** The call has its effect, then the connection is destroyed without an answer. */
  | { readonly kind: "drop-answer" }
  | { readonly kind: "too-many-requests"; readonly retryAfterS: number }
  /** Any refusal of the Bot API by its code and text, for those that no play of people and rooms brings about. */
  | {
      readonly kind: "refuse";
      readonly code: number;
      readonly description: string;
      readonly retryAfterS?: number;
      readonly migrateToChatId?: number;
    }
  /** An HTML page of a proxy. */
  | { readonly kind: "server-error"; readonly status?: 500 | 502 | 503 | 504; readonly isAccepted?: boolean }
  | { readonly kind: "conflict" }
  | { readonly kind: "unauthorized" }
  /** The answer comes after a time of the emulator's clock; the effect is at once. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** A list is answered with its first entries only. */
  | { readonly kind: "short-answer"; readonly count: number }
  /** Status 200 and a body that is no JSON. */
  | { readonly kind: "garbage"; readonly isAccepted?: boolean }
  /** A gate before the effect, or between the effect and the answer. */
  | { readonly kind: "hold"; readonly at: "request" | "answer" };

export type Fault = FaultAim & FaultEffect;

const aim = {
  method: z.string().exactOptional(),
  chatId: z.int().exactOptional(),
  botId: z.int().exactOptional(),
  text: z.string().min(1).exactOptional(),
  times: z.union([z.int().min(1), z.literal("always")]).exactOptional(),
  skip: z.int().min(0).exactOptional(),
};
const statusSchema = z.union([z.literal(500), z.literal(502), z.literal(503), z.literal(504)]);

export const faultSchema: z.ZodType<Fault> = z.discriminatedUnion("kind", [
  z.strictObject({ ...aim, kind: z.literal("drop-request") }),
  z.strictObject({ ...aim, kind: z.literal("drop-answer") }),
  z.strictObject({ ...aim, kind: z.literal("too-many-requests"), retryAfterS: z.int().min(1) }),
  z.strictObject({
    ...aim,
    kind: z.literal("refuse"),
    code: z.int().min(400).max(599),
    description: z.string().min(1),
    retryAfterS: z.int().min(1).exactOptional(),
    migrateToChatId: z.int().exactOptional(),
  }),
  z.strictObject({
    ...aim,
    kind: z.literal("server-error"),
    status: statusSchema.exactOptional(),
    isAccepted: z.boolean().exactOptional(),
  }),
  z.strictObject({ ...aim, kind: z.literal("conflict") }),
  z.strictObject({ ...aim, kind: z.literal("unauthorized") }),
  z.strictObject({ ...aim, kind: z.literal("delay"), delayMs: z.int().min(0) }),
  z.strictObject({ ...aim, kind: z.literal("short-answer"), count: z.int().min(0) }),
  z.strictObject({ ...aim, kind: z.literal("garbage"), isAccepted: z.boolean().exactOptional() }),
  z.strictObject({ ...aim, kind: z.literal("hold"), at: z.enum(["request", "answer"]) }),
]);
