import { expect, test } from "vitest";
import { findImportedPath, listImports, readSources } from "./source-file.ts";

/** The files that a reader of a flow opens: the entry file of a room, and what it calls in its own room. */
const FLOWS: readonly (readonly [entry: string, calls: readonly string[]])[] = [
  [
    "packages/core/src/inbound/receive.ts",
    [
      "access",
      "command-queue",
      "command-run",
      "decide",
      "operator-hints",
      "received-item",
      "reply-chain",
      "route",
      "route-state",
    ],
  ],
  [
    "packages/core/src/outbound/outbox.ts",
    [
      "anchors/amend-message",
      "anchors/spoiled-messages",
      "attempt",
      "chat-queue",
      "decide-settle",
      "pace",
      "queued-delivery",
      "stored-backlog",
    ],
  ],
  ["packages/core/src/lanes/lane-scheduler.ts", ["child-places", "lane-claim", "suspect-slot"]],
];

const sources = readSources();

test.each(FLOWS)("%s calls the files that its head names, and no others of its room", (entry, calls) => {
  const file = sources.find(({ path }) => path === entry);
  if (file === undefined) throw new Error(`The entry file ${entry} does not exist`);
  const room = entry.slice(0, entry.lastIndexOf("/") + 1);
  const imported = listImports(file).flatMap((specifier) => findImportedPath(file, specifier) ?? []);
  const own = imported.filter((path) => path.startsWith(room)).map((path) => path.slice(room.length, -".ts".length));
  expect([...new Set(own)].toSorted()).toEqual(calls);
});
