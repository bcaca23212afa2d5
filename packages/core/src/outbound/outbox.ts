import type { DeliveryRow, NewDelivery } from "@banyan/store";
import { AccountOutbox, type AccountOutboxParts } from "./account-outbox.ts";
import type { AmendEnd, Amendment } from "./anchors/amend-message.ts";

/** The outboxes of all accounts, by channel and account. Rows of an account that is not here wait in the store. */
export interface Outbox {
  open(parts: AccountOutboxParts): AccountOutbox;
  /** Marks the rows that may be born `sending`; each mark is a promise to `enqueue` or `release` them. */
  reserve(rows: readonly NewDelivery[], owner: string): readonly NewDelivery[];
  release(rows: readonly NewDelivery[]): void;
  enqueue(rows: readonly NewDelivery[]): void;
  /** Changes what a sent row says in its chat, where nothing of the chat waits or is under way. Never rejects. */
  amend(row: DeliveryRow, amendment: Amendment): Promise<AmendEnd>;
  /** Chats that send, or wait for their time. */
  readonly busyChats: number;
  /** An operator changed a row of the chat. */
  refresh(row: { readonly channel: string; readonly account: string; readonly chat: string }): void;
  /** The store holds an account's chat under another id; both as rows name them in `chat`. */
  moveChat(move: {
    readonly channel: string;
    readonly account: string;
    readonly from: string;
    readonly to: string;
  }): void;
  close(): Promise<void>;
}

export function createOutbox(): Outbox {
  const accounts = new Map<string, AccountOutbox>();
  const find = (row: { channel: string; account: string }) => accounts.get(`${row.channel}/${row.account}`);
  return {
    open(parts) {
      const outbox = new AccountOutbox(parts);
      accounts.set(`${parts.channel}/${parts.account}`, outbox);
      return outbox;
    },
    reserve: (rows, owner) =>
      rows.map((row) => (isSent(row) && find(row)?.reserve(row.chat) ? { ...row, sendingOwner: owner } : row)),
    release(rows) {
      for (const row of rows) if (row.sendingOwner !== undefined) find(row)?.release(row.chat);
    },
    enqueue(rows) {
      for (const row of rows) if (isSent(row)) find(row)?.enqueue([row]);
    },
    amend: async (row, amendment) => (await find(row)?.amend(row, amendment)) ?? { kind: "busy" },
    get busyChats() {
      return [...accounts.values()].reduce((sum, account) => sum + account.busyChats, 0);
    },
    refresh: (row) => find(row)?.refresh(row.chat),
    moveChat: (move) => find(move)?.moveChat(move.from, move.to),
    async close() {
      await Promise.all([...accounts.values()].map((outbox) => outbox.close()));
    },
  };
}

/** What is born undeliverable stays where the operator sees it. */
function isSent({ undeliverable }: NewDelivery): boolean {
  return undeliverable === undefined;
}
