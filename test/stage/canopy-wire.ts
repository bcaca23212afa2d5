/** What the canopy channel and its platform say to each other. Tests copy this file beside the channel. */
import { z } from "zod";

export interface CanopyPlace {
  readonly kind: "dm" | "group";
  readonly chat: string;
  readonly thread?: string | undefined;
}

/** What somebody wrote, as the platform tells it. */
export interface CanopySaid {
  readonly id: string;
  readonly place: CanopyPlace;
  readonly from: string;
  readonly text: string;
  readonly addressed?: boolean | undefined;
  /** Nobody wrote: the thread was deleted there. */
  readonly isGone?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the channel asks for. `key` and `bindingId` make a repeat known. */
export interface CanopyCalls {
  updates: { readonly after: number };
  send: {
    readonly key: string;
    readonly place: CanopyPlace;
    readonly text: string;
    readonly kind: string;
    /** What the gateway says of a repeat; the platform knows by the key. */
    readonly mayHaveArrived?: boolean | undefined;
    readonly turnId?: string | undefined;
  };
  open: { readonly bindingId: string; readonly parent: CanopyPlace; readonly name: string; readonly hello: string };
  withdraw: { readonly bindingId: string };
  archive: {
    readonly bindingId: string;
    readonly thread: string;
    readonly name?: string | undefined;
    readonly goodbye?: string | undefined;
  };
  rename: { readonly thread: string; readonly name: string };
  probe: { readonly thread: string };
}

export interface CanopyAnswers {
  updates: { readonly messages: readonly CanopySaid[]; readonly cursor: number };
  send: { readonly id: string };
  open: { readonly place: CanopyPlace };
  withdraw: Record<string, never>;
  archive: Record<string, never>;
  rename: Record<string, never>;
  probe: { readonly state: "open" | "archived" | "gone" };
}

export type CanopyMethod = keyof CanopyCalls;

const place = z.strictObject({ kind: z.enum(["dm", "group"]), chat: z.string(), thread: z.string().optional() });
const said = z.strictObject({
  id: z.string(),
  place,
  from: z.string(),
  text: z.string(),
  addressed: z.boolean().optional(),
  isGone: z.boolean().optional(),
  at: z.number(),
});
const nothing = z.strictObject({});

export const canopyCalls: { readonly [Method in CanopyMethod]: z.ZodType<CanopyCalls[Method]> } = {
  updates: z.strictObject({ after: z.number() }),
  send: z.strictObject({
    key: z.string(),
    place,
    text: z.string(),
    kind: z.string(),
    mayHaveArrived: z.boolean().optional(),
    turnId: z.string().optional(),
  }),
  open: z.strictObject({ bindingId: z.string(), parent: place, name: z.string(), hello: z.string() }),
  withdraw: z.strictObject({ bindingId: z.string() }),
  archive: z.strictObject({
    bindingId: z.string(),
    thread: z.string(),
    name: z.string().optional(),
    goodbye: z.string().optional(),
  }),
  rename: z.strictObject({ thread: z.string(), name: z.string() }),
  probe: z.strictObject({ thread: z.string() }),
};

export const canopyAnswers: { readonly [Method in CanopyMethod]: z.ZodType<CanopyAnswers[Method]> } = {
  updates: z.strictObject({ messages: z.array(said), cursor: z.number() }),
  send: z.strictObject({ id: z.string() }),
  open: z.strictObject({ place }),
  withdraw: nothing,
  archive: nothing,
  rename: nothing,
  probe: z.strictObject({ state: z.enum(["open", "archived", "gone"]) }),
};
