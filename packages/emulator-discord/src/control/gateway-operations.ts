import { GatewayOpcodes } from "discord-api-types/v10";
import { z } from "zod";
import type { Session } from "../gateway/session.ts";
import type { World } from "../world/world.ts";
import { nothing, timeoutSchema } from "./answer.ts";
import type { BotName } from "./bot-operations.ts";
import type { Operation } from "./operation.ts";

/** What goes wrong with the gateway; a bot may be named where it is about connections that there are. */
export type GatewayFault =
  /** Closed with a code, or torn without one. */
  | { readonly kind: "drop"; readonly code?: number; readonly botId?: string }
  /** Op 9; the session is gone where it is not resumable. */
  | { readonly kind: "invalidate"; readonly isResumable: boolean; readonly botId?: string }
  /** Op 7. */
  | { readonly kind: "reconnect"; readonly botId?: string }
  /** The next RESUME gets op 9, or is closed with the code. */
  | { readonly kind: "refuse-resume"; readonly code?: number }
  /** The next RESUME is never answered; heartbeats are. */
  | { readonly kind: "ignore-resume" }
  /** The next RESUME gets its dispatches, and those that follow, but no RESUMED. */
  | { readonly kind: "endless-replay" }
  /** Each connection that begins or resumes a session is closed with the code; without one that ends. */
  | { readonly kind: "turn-away"; readonly code?: number }
  /** The next RESUME gets READY. */
  | { readonly kind: "forget-replay" }
  | { readonly kind: "duplicate"; readonly count: number }
  | { readonly kind: "reorder"; readonly count: number }
  /** Whether heartbeats stay without their acknowledgement. */
  | { readonly kind: "silence"; readonly isOn: boolean }
  /** Whether nobody gets a connection; those that there are stay. */
  | { readonly kind: "outage"; readonly isOn: boolean };

const botId = z.string().exactOptional();
const count = z.int().min(0);
const gatewayFaultSchema: z.ZodType<GatewayFault> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("drop"), code: z.int().exactOptional(), botId }),
  z.strictObject({ kind: z.literal("invalidate"), isResumable: z.boolean(), botId }),
  z.strictObject({ kind: z.literal("reconnect"), botId }),
  z.strictObject({ kind: z.literal("refuse-resume"), code: z.int().exactOptional() }),
  z.strictObject({ kind: z.literal("ignore-resume") }),
  z.strictObject({ kind: z.literal("endless-replay") }),
  z.strictObject({ kind: z.literal("turn-away"), code: z.int().exactOptional() }),
  z.strictObject({ kind: z.literal("forget-replay") }),
  z.strictObject({ kind: z.literal("duplicate"), count }),
  z.strictObject({ kind: z.literal("reorder"), count }),
  z.strictObject({ kind: z.literal("silence"), isOn: z.boolean() }),
  z.strictObject({ kind: z.literal("outage"), isOn: z.boolean() }),
]);

/** Answers how many connections it met. */
export const troubleGateway: Operation<GatewayFault, number> = {
  name: "troubleGateway",
  request: gatewayFaultSchema,
  answer: z.int(),
  run: ({ world }, fault) => trouble(world, fault),
};

export interface ConnectionWait extends BotName {
  readonly isConnected: boolean;
  readonly timeoutMs: number;
}

/** Whether the bot is connected, or is not, as was waited for. */
export const awaitConnection: Operation<ConnectionWait, boolean> = {
  name: "awaitConnection",
  request: z.strictObject({ botId, isConnected: z.boolean(), timeoutMs: timeoutSchema }),
  answer: z.boolean(),
  run: async ({ world }, { botId: id, isConnected, timeoutMs }) => {
    const bot = world.bots.get(id);
    return world.changed.until(() => bot.isConnected === isConnected, timeoutMs);
  },
};

/** Any dispatch, as it is, such as one of a kind that nobody knows yet. */
export const pushEvent: Operation<BotName & { readonly type: string; readonly data: unknown }, void> = {
  name: "pushEvent",
  request: z.strictObject({ botId, type: z.string(), data: z.unknown() }),
  answer: nothing,
  run: ({ world }, { botId: id, type, data }) => {
    for (const session of world.bots.get(id).sessions.values()) session.dispatch(type, JSON.stringify(data));
  },
};

function trouble(world: World, fault: GatewayFault): number {
  switch (fault.kind) {
    case "drop":
    case "invalidate":
    case "reconnect":
      return meetConnections(world, fault);
    case "refuse-resume":
      world.trouble.refuseResume(fault.code ?? "invalid");
      return 0;
    case "ignore-resume":
      world.trouble.ignoreResume();
      return 0;
    case "endless-replay":
      world.trouble.replayEndlessly();
      return 0;
    case "turn-away":
      world.trouble.turnAwayCode = fault.code;
      return 0;
    case "forget-replay":
      world.trouble.forgetReplay();
      return 0;
    case "duplicate":
      world.trouble.duplicate(fault.count);
      return 0;
    case "reorder":
      world.trouble.reorder(fault.count);
      return 0;
    case "silence":
      world.trouble.isSilent = fault.isOn;
      return 0;
    case "outage":
      world.trouble.isDown = fault.isOn;
      return 0;
  }
}

function meetConnections(
  world: World,
  fault: GatewayFault & { readonly kind: "drop" | "invalidate" | "reconnect" },
): number {
  const bots = fault.botId === undefined ? world.bots.all() : [world.bots.get(fault.botId)];
  let met = 0;
  for (const bot of bots) {
    for (const session of bot.sessions.values()) {
      if (session.socket === undefined) continue;
      met += 1;
      meetConnection(session, fault);
      if (fault.kind === "invalidate" && !fault.isResumable) bot.sessions.delete(session.id);
    }
  }
  return met;
}

function meetConnection(session: Session, fault: GatewayFault): void {
  if (fault.kind === "drop") {
    if (fault.code === undefined) session.socket?.terminate();
    else session.socket?.close(fault.code, "By the test.");
  } else if (fault.kind === "invalidate") sendOp(session, GatewayOpcodes.InvalidSession, fault.isResumable);
  else sendOp(session, GatewayOpcodes.Reconnect, null);
}

function sendOp(session: Session, op: number, d: unknown): void {
  session.socket?.send(JSON.stringify({ t: null, s: null, op, d }));
}
