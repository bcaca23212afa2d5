import { z } from "zod";
import { callControl, REPORT_TIMEOUT_MS } from "./control/control-client.ts";
import type { ControlOperations } from "./control/control-socket.ts";
import type { DeletedSession } from "./control/delete-session.ts";
import type { LinkOperations } from "./control/operate-links.ts";
import type { PairingOperations, SettledPairing } from "./control/operate-pairing.ts";
import type { RunOperations } from "./control/operate-runs.ts";
import type { SessionOperations } from "./control/operate-sessions.ts";
import type { OutboxOperations } from "./outbound/operate-outbox.ts";
import type { ToolCounts } from "./tools/checks/call-record.ts";

const DeliveryArgs = z.strictObject({ id: z.string().min(1).max(200) });
const Account = z.string().min(1).max(400);
const LinkAddArgs = z.strictObject({ accounts: z.array(Account).min(1).max(100), name: Account.optional() });
const LinkRemoveArgs = z.strictObject({ account: Account });
const SessionKey = z.string().min(1).max(4_000);
const RekeyArgs = z.strictObject({ from: SessionKey, to: SessionKey, acceptShared: z.boolean().default(false) });
const DeleteArgs = z.strictObject({ key: SessionKey });
const RunArgs = z.strictObject({ runId: z.string().min(1).max(200) });
const PairingArgs = z.strictObject({ target: z.string().min(1).max(300) });
/** Who asks over the socket, for the audit. */
const ACTOR = "command line";

export interface ControlParts {
  readonly outbox: OutboxOperations;
  readonly pairing: PairingOperations;
  readonly links: LinkOperations;
  readonly sessions: SessionOperations;
  readonly runs: RunOperations;
  readonly deleteSession: (key: string, actor: string) => Promise<DeletedSession>;
  /** The address of the web chat with its token: for the owner of the socket alone. */
  readonly describe: () => object;
  readonly status: () => Promise<object>;
  /** Milliseconds on a clock that never goes back; uptime counts from the call that makes the operations. */
  readonly monotonic?: () => number;
}

/** What the command line may ask of a running gateway; arguments are checked here, at the edge. */
export function createControlOperations(parts: ControlParts): ControlOperations {
  const { monotonic = () => performance.now() } = parts;
  const openedAt = monotonic();
  return {
    info: async () => parts.describe(),
    status: async () => ({ ...(await parts.status()), uptimeMs: Math.round(monotonic() - openedAt) }),
    "outbox-retry": (args) => parts.outbox.retry(DeliveryArgs.parse(args).id, ACTOR),
    "outbox-drop": (args) => parts.outbox.drop(DeliveryArgs.parse(args).id, ACTOR),
    "pair-approve": (args) => parts.pairing.approve(PairingArgs.parse(args).target, ACTOR),
    "pair-deny": (args) => parts.pairing.deny(PairingArgs.parse(args).target, ACTOR),
    "link-add": (args) => {
      const { accounts, name } = LinkAddArgs.parse(args);
      return parts.links.add(accounts, name, ACTOR);
    },
    "link-remove": (args) => parts.links.remove(LinkRemoveArgs.parse(args).account, ACTOR),
    "sessions-rekey": (args) => {
      const { from, to, acceptShared } = RekeyArgs.parse(args);
      return parts.sessions.rekey(from, to, { acceptShared }, ACTOR);
    },
    "sessions-delete": (args) => parts.deleteSession(DeleteArgs.parse(args).key, ACTOR),
    "run-kill": (args) => parts.runs.kill(RunArgs.parse(args).runId, ACTOR),
  };
}

/** What a running gateway tells of itself. */
export interface GatewayInfo {
  readonly url: string;
  /** The operator's bearer. */
  readonly token: string;
  readonly pid: number;
  readonly version: string;
  /** It ends with the command that opened it. Absent: no, or an earlier version. */
  readonly isTemporary?: boolean | undefined;
}

export interface GatewayStatus {
  readonly status: string;
  /** Why nothing can be stored any more; `counts` are then zero. */
  readonly failure?: string | undefined;
  readonly version: string;
  readonly accounts: Readonly<Record<string, { readonly state: string; readonly detail?: string | undefined }>>;
  /** Turns. */
  readonly running: number;
  /** Tool calls since it began. Absent: it is of an earlier version. */
  readonly tools?: ToolCounts | undefined;
  readonly counts: {
    readonly sessions: number;
    readonly waitingItems: number;
    readonly activeLanes: number;
    readonly unsettledDeliveries: number;
    readonly pendingPairings: number;
    readonly unfinishedRuns: number;
  };
  readonly uptimeMs: number;
}

/** Loose: the gateway that answers may be of another version. */
const InfoResult: z.ZodType<GatewayInfo> = z.looseObject({
  url: z.string(),
  token: z.string(),
  pid: z.number(),
  version: z.string(),
  isTemporary: z.boolean().optional(),
});

const StatusResult: z.ZodType<GatewayStatus> = z.looseObject({
  status: z.string(),
  failure: z.string().optional(),
  version: z.string(),
  accounts: z.record(z.string(), z.looseObject({ state: z.string(), detail: z.string().optional() })),
  running: z.number(),
  tools: z.looseObject({ done: z.number(), failed: z.number(), refused: z.number() }).optional(),
  counts: z.looseObject({
    sessions: z.number(),
    waitingItems: z.number(),
    activeLanes: z.number(),
    unsettledDeliveries: z.number(),
    pendingPairings: z.number().default(0),
    unfinishedRuns: z.number().default(0),
  }),
  uptimeMs: z.number(),
});

const PairingResult: z.ZodType<SettledPairing> = z.looseObject({
  channel: z.string(),
  account: z.string(),
  senderId: z.string(),
  displayName: z.string().optional(),
  state: z.enum(["approved", "denied"]),
});

/** Lets a stranger in, or keeps him out, through the gateway on a state directory. Throws as `callControl`. */
export async function callGatewayPairing(
  stateDir: string,
  operation: "approve" | "deny",
  target: string,
): Promise<SettledPairing> {
  return PairingResult.parse(await callControl(stateDir, `pair-${operation}`, { target }));
}

/** Where the gateway on a state directory is reached. Throws as `callControl`. */
export async function callGatewayInfo(stateDir: string): Promise<GatewayInfo> {
  return InfoResult.parse(await callControl(stateDir, "info", {}, REPORT_TIMEOUT_MS));
}

/** How the gateway on a state directory fares. Throws as `callControl`. */
export async function callGatewayStatus(stateDir: string): Promise<GatewayStatus> {
  return StatusResult.parse(await callControl(stateDir, "status", {}, REPORT_TIMEOUT_MS));
}
