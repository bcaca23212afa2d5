import type { DatabaseSync } from "node:sqlite";
import type { RouteSnapshot } from "@banyan/store";
import { PAIRING_STATE, PAIRING_STATES } from "../database/code.ts";
import { type Row, readNumber, readText } from "../database/column.ts";
import { PAIRING_COLUMNS, readPairingRow } from "./pairing-row.ts";
import type { SqliteReads } from "./read-request.ts";
import { readBindingRow } from "./run-row.ts";

type RouteReads = Pick<SqliteReads, "routes" | "pairings" | "linkDesk" | "audit">;

export function createRouteReads(database: DatabaseSync): RouteReads {
  return {
    routes: createRoutesRead(database),
    pairings: createPairingsRead(database),
    linkDesk: createLinkDeskRead(database),
    audit: createAuditRead(database),
  };
}

/** One statement, so that a reader beside the writer sees one picture too. */
function createRoutesRead(database: DatabaseSync): RouteReads["routes"] {
  const all = database.prepare(
    `SELECT 'revision' AS part, 0 AS id, value, NULL AS a, NULL AS b, NULL AS c,
       NULL AS kind, NULL AS idle_ms, NULL AS max_age_ms FROM meta WHERE name = 'route_revision'
     UNION ALL SELECT 'approved', id, 0, channel, account, sender_id, NULL, NULL, NULL
       FROM pairings WHERE state = ${PAIRING_STATE.approved}
     UNION ALL SELECT 'link', id, linked_at, channel, peer, person, NULL, NULL, NULL FROM links
     UNION ALL SELECT 'move', id, 0, channel, from_chat, to_chat, NULL, NULL, NULL FROM chat_moves
     UNION ALL SELECT 'binding', pos, created_at, id, address, session_key, kind, idle_ms, max_age_ms FROM bindings`,
  );
  return (): RouteSnapshot => {
    const rows = all.all().sort((first, second) => readNumber(first.id) - readNumber(second.id));
    const list = (part: string) => rows.filter((row) => row.part === part);
    return {
      revision: readNumber(list("revision")[0]?.value),
      approved: list("approved").map((row) => ({
        channel: readText(row.a),
        account: readText(row.b),
        senderId: readText(row.c),
      })),
      links: list("link").map((row) => ({
        channel: readText(row.a),
        peer: readText(row.b),
        person: readText(row.c),
        linkedAtMs: readNumber(row.value),
      })),
      chatMoves: list("move").map((row) => ({
        channel: readText(row.a),
        fromChat: readText(row.b),
        toChat: readText(row.c),
      })),
      bindings: list("binding").map(({ value, a, b, c, ...row }) =>
        readBindingRow({
          ...row,
          created_at: value ?? null,
          id: a ?? null,
          address: b ?? null,
          session_key: c ?? null,
        }),
      ),
    };
  };
}

function createPairingsRead(database: DatabaseSync): RouteReads["pairings"] {
  const ofState = database.prepare(
    `SELECT ${PAIRING_COLUMNS} FROM pairings WHERE state = ? AND (state <> ${PAIRING_STATE.pending} OR expires_at > ?)
     ORDER BY id LIMIT ?`,
  );
  return ({ states = PAIRING_STATES, limit }, nowMs) => {
    const rows = [...new Set(states)].flatMap((state) => ofState.all(PAIRING_STATE[state], nowMs, limit));
    rows.sort((first, second) => readNumber(first.id) - readNumber(second.id));
    return rows.slice(0, limit).map(readPairingRow);
  };
}

function createLinkDeskRead(database: DatabaseSync): RouteReads["linkDesk"] {
  const offer = database.prepare(
    "SELECT code, channel, peer, address, expires_at FROM link_codes WHERE code = ? AND expires_at > ?",
  );
  const failures = database.prepare(
    "SELECT count FROM link_failures WHERE channel = ? AND peer = ? AND expires_at > ?",
  );
  return ({ code, channel, peer }, nowMs) => {
    const row = offer.get(code, nowMs);
    const counted = readNumber(failures.get(channel, peer, nowMs)?.count ?? 0);
    if (row === undefined) return { failures: counted };
    const found = {
      code: readText(row.code),
      channel: readText(row.channel),
      peer: readText(row.peer),
      address: readText(row.address),
      expiresAtMs: readNumber(row.expires_at),
    };
    return { offer: found, failures: counted };
  };
}

function createAuditRead(database: DatabaseSync): RouteReads["audit"] {
  const columns = "id, at, actor, action, detail";
  const after = database.prepare(`SELECT ${columns} FROM audit WHERE id > ? ORDER BY id LIMIT ?`);
  const newest = database.prepare(`SELECT ${columns} FROM audit WHERE id > 0 ORDER BY id DESC LIMIT ?`);
  const readRow = (row: Row) => ({
    id: readNumber(row.id),
    atMs: readNumber(row.at),
    actor: readText(row.actor),
    action: readText(row.action),
    detail: readText(row.detail),
  });
  return ({ afterId, limit }) =>
    afterId === undefined ? newest.all(limit).map(readRow).reverse() : after.all(afterId, limit).map(readRow);
}
