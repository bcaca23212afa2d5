import type { DatabaseSync } from "node:sqlite";
import { type MigrateChatStep, moveAddress } from "@banyan/store";
import { readNumber, readText } from "../database/column.ts";
import { createRunMover } from "./run-move.ts";
import { UNSENT_BANDS } from "./session-move.ts";
import type { Tables } from "./tables.ts";

type Addresses = MigrateChatStep["addresses"];

export interface ChatMover {
  /** Of everything that waits, runs or is held. What moved, by `seq`. */
  moveItems(addresses: Addresses): readonly number[];
  /** Of everything that may still be sent. Counts what moved. */
  moveDeliveries(addresses: Addresses): number;
  /** Of runs and bindings. Whether any moved. */
  moveOthers(addresses: Addresses): boolean;
  /** Whether the move was not on record. */
  record(move: MigrateChatStep["move"]): boolean;
}

export function createChatMover(database: DatabaseSync, tables: Tables): ChatMover {
  // Through the indexes of open work: a chat's addresses hold all that was ever said there.
  const waiting = database.prepare("SELECT seq, address FROM items INDEXED BY items_waiting WHERE state = 0");
  const active = database.prepare(
    "SELECT seq, address FROM lanes JOIN items ON items.seq = lanes.claim_seq WHERE owner IS NOT NULL",
  );
  const held = database.prepare("SELECT seq, address FROM held JOIN items ON items.seq = held.item_seq");
  const runs = createRunMover(database);
  const setItem = database.prepare("UPDATE items SET address = ? WHERE seq = ?");
  const unsent = UNSENT_BANDS.map((band) =>
    database.prepare(`SELECT pos, address, chat FROM deliveries WHERE ${band}`),
  );
  // The platform's id of a message of the old chat: in the new one it may be another message's.
  const setDelivery = database.prepare(
    "UPDATE deliveries SET address = ?1, anchor_id = iif(chat = ?2, anchor_id, NULL), chat = ?2 WHERE pos = ?3",
  );
  const find = database.prepare("SELECT to_chat FROM chat_moves WHERE channel = ? AND from_chat = ?");
  const remove = database.prepare("DELETE FROM chat_moves WHERE channel = ? AND from_chat = ?");
  const insert = database.prepare("INSERT INTO chat_moves (channel, from_chat, to_chat) VALUES (?, ?, ?)");

  return {
    moveItems: (addresses) =>
      [...waiting.all(), ...active.all(), ...held.all()].flatMap((row) => {
        const address = readText(row.address);
        const moved = moveAddress(address, addresses);
        if (moved === address) return [];
        const seq = readNumber(row.seq);
        setItem.run(moved, seq);
        return [seq];
      }),
    moveDeliveries(addresses) {
      const moved = unsent
        .flatMap((statement) => statement.all())
        .filter((row) => moveAddress(readText(row.address), addresses) !== row.address);
      for (const row of moved) {
        const address = moveAddress(readText(row.address), addresses);
        setDelivery.run(address, moveAddress(readText(row.chat), addresses), readNumber(row.pos));
      }
      return moved.length;
    },
    moveOthers(addresses) {
      const moved = runs.moveAddresses(addresses);
      return tables.bindings.moveAddresses((address) => moveAddress(address, addresses)) || moved > 0;
    },
    record({ channel, fromChat, toChat }) {
      if (find.get(channel, fromChat)?.to_chat === toChat) return false;
      remove.run(channel, fromChat);
      insert.run(channel, fromChat, toChat);
      tables.routeRevision.raise();
      return true;
    },
  };
}
