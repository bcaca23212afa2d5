import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FilesAbility, formatAddress } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type AttachmentReaderParts,
  createAttachmentReader,
} from "../../../src/tools/attachments/attachment-reader.ts";

const address = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" });
const OAK = { id: "7.1", address, file: { id: "f", name: "oak.png" } };
const sessionId = "5f0c0000-0000-4000-8000-000000000001";

let folder: string;
let downloads: number;
let logged: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "banyan-reader-"));
  downloads = 0;
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function serve(content: string): FilesAbility {
  return {
    async download() {
      downloads += 1;
      return new Blob([content]).stream();
    },
  };
}

async function read(parts: Partial<AttachmentReaderParts> = {}, attachment: object = {}, limitBytes = 100) {
  const note = (fields: object) => void logged.push(fields);
  const reader = createAttachmentReader({
    limits: { limitBytes: 50, turnLimitBytes: 50 },
    findFiles: () => serve("two oaks"),
    whenTried: async () => undefined,
    ports: { log: { debug: note, info: note, warn: note, error: note } },
    ...parts,
  });
  const signal = new AbortController().signal;
  const bytes = await reader({ ...OAK, ...attachment }, { workspaceDir: folder, sessionId, limitBytes, signal });
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

const receivedFolder = () => join(folder, ".banyan", "received", sessionId);

it("fetches a file once, and has it from then on", async () => {
  expect([await read(), await read()]).toEqual(["two oaks", "two oaks"]);
  expect(downloads).toBe(1);
  expect(readdirSync(receivedFolder())).toEqual(["7.1-oak.png"]);
});

it.each<[string, Partial<AttachmentReaderParts>, object, number]>([
  ["that is said to be larger", {}, { file: { id: "f", sizeBytes: 51 } }, 100],
  ["that is larger than was said", { findFiles: () => serve("x".repeat(51)) }, {}, 100],
  ["that is larger than is wanted", {}, {}, 7],
  ["of a channel without files", { findFiles: () => "none" }, {}, 100],
  ["of an account that is not connected", { findFiles: () => undefined }, {}, 100],
  [
    "that its platform refuses",
    {
      findFiles: () => ({
        async download() {
          throw new Error("gone");
        },
      }),
    },
    {},
    100,
  ],
])("has nothing of a file %s", async (_name, parts, attachment, limitBytes) => {
  expect(await read(parts, attachment, limitBytes)).toBeUndefined();
});

it("reads no larger one that stands there, and follows no link", async () => {
  mkdirSync(receivedFolder(), { recursive: true });
  writeFileSync(join(receivedFolder(), "7.1-oak.png"), "x".repeat(51));
  expect(await read()).toBeUndefined();
  rmSync(join(receivedFolder(), "7.1-oak.png"));
  writeFileSync(join(folder, "secret"), "the key");
  symlinkSync(join(folder, "secret"), join(receivedFolder(), "7.1-oak.png"));
  expect(await read()).not.toBe("the key");
});
