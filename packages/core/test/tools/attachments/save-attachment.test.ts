import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type AttachmentReference, ChannelError, type FilesAbility, TransportError } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAttachments } from "../../../src/sessions/received-attachment.ts";
import { buildInputEntry, buildToolEntry, formatEntry } from "../../../src/sessions/transcript.ts";
import { findReceivedFolder } from "../../../src/tools/attachments/received-file.ts";
import { createSaveAttachmentTool, type SaveAttachmentParts } from "../../../src/tools/attachments/save-attachment.ts";
import { createReadFileTool } from "../../../src/tools/files/read-file.ts";
import { ToolDesk } from "../tool-desk.ts";

const FOLDER = ".banyan/received/s-1";
const NOTES: AttachmentReference = { id: "f1", name: "notes.txt", sizeBytes: 5 };

const ROW = { seq: 1, sessionKey: "agent:main:main" } as const;

type Download = FilesAbility["download"];

let desk: ToolDesk;
let downloads: number;
beforeEach(() => {
  desk = new ToolDesk();
  downloads = 0;
});
afterEach(() => desk.remove());

/** The agent's tools in a turn on lane item 3, which came with these files. */
function offer(
  files: readonly AttachmentReference[],
  download: Download,
  parts: Partial<SaveAttachmentParts> = {},
): void {
  const tool = createSaveAttachmentTool({
    read: { entries: async () => [], entriesOfItem: async () => [] },
    limits: { limitBytes: 10, turnLimitBytes: 100 },
    findFiles: () => ({
      download: (...request) => {
        downloads += 1;
        return download(...request);
      },
    }),
    whenTried: async () => undefined,
    ports: { faultPoint: () => undefined },
    ...parts,
  });
  desk.tools = [tool, createReadFileTool({ scrub: (text) => text })];
  const opened = findReceivedFolder(desk.workspaceDir, "s-1") ?? "";
  const caller = { ...desk.scope.caller, itemSeq: 3, attachments: files };
  desk.scope = { ...desk.scope, caller, blockedPaths: [join(desk.workspaceDir, ".banyan")], openPaths: [opened] };
}

/** A body of these chunks, which fails at its end where it is to. */
function openBody(chunks: readonly Uint8Array[], failure?: Error): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (failure === undefined) controller.close();
      else controller.error(failure);
    },
  });
}

function streamOf(...chunks: readonly string[]): Download {
  return async () => openBody(chunks.map((chunk) => Buffer.from(chunk)));
}

function left(): readonly string[] {
  const folder = join(desk.workspaceDir, FOLDER);
  return existsSync(folder) ? readdirSync(folder) : [];
}

it("saves a file where this conversation alone can read it, and once", async () => {
  offer([NOTES], streamOf("two", "!!"));
  const saved = { text: `[${FOLDER}/3.1-notes.txt: 5 bytes]\nIt is saved.`, isError: false };
  expect(await desk.call("save_attachment", { id: "3.1" })).toEqual(saved);
  expect(await desk.call("save_attachment", { id: "3.1" })).toEqual(saved);
  expect(downloads).toBe(1);
  expect((await desk.call("read_file", { path: `${FOLDER}/3.1-notes.txt` })).text).toContain("two!!");
  desk.scope = { ...desk.scope, openPaths: [] };
  expect((await desk.call("read_file", { path: `${FOLDER}/3.1-notes.txt` })).text).toContain("is kept from tools");
});

it("saves what came with an earlier message of the same conversation, and of no other", async () => {
  const { address } = desk.scope.caller;
  const stamp = { id: "e1", timestamp: 0 };
  const entry = formatEntry(
    buildInputEntry(stamp, { text: "look", attachments: listAttachments(2, address, [NOTES]) }),
  );
  const rows = (sessionId: string) => [{ ...entry, ...ROW, sessionId, itemSeq: 2 }];
  offer([], streamOf("12345"), { read: { entries: async () => [], entriesOfItem: async () => rows("s-1") } });
  expect((await desk.call("save_attachment", { id: "2.1" })).text).toContain("2.1-notes.txt: 5 bytes");
  offer([], streamOf("12345"), { read: { entries: async () => [], entriesOfItem: async () => rows("s-2") } });
  const other = await desk.call("save_attachment", { id: "2.1" });
  expect(other.text).toContain('no file of this conversation has the id "2.1"');
  expect((await desk.call("save_attachment", { id: "../../x" })).text).toContain("no file of this conversation");
});

describe("attack 14: a file that somebody sends", () => {
  it("refuses a file that says to be too large before anything is fetched", async () => {
    offer([{ ...NOTES, sizeBytes: 11 }], streamOf("x"));
    expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("larger than the 10 bytes");
    expect(downloads).toBe(0);
  });

  it("stops a file that is larger than it said while it comes, and leaves nothing of it", async () => {
    let given = 0;
    let isCancelled = false;
    offer(
      [NOTES],
      async () =>
        new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              given += 4;
              controller.enqueue(Buffer.from("more"));
            },
            cancel: () => {
              isCancelled = true;
            },
          },
          { highWaterMark: 0 },
        ),
    );
    const saved = await desk.call("save_attachment", { id: "3.1" });
    expect(saved).toMatchObject({ isError: true, text: expect.stringContaining("larger than the 10 bytes") });
    expect([given, isCancelled, left()]).toEqual([12, true, []]);
  });

  it("ends a file that has nowhere to go, also before anything of it was read", async () => {
    let isCancelled = false;
    offer([NOTES], async () => {
      const folder = join(desk.workspaceDir, FOLDER);
      rmSync(folder, { recursive: true });
      symlinkSync(desk.workspaceDir, folder);
      return new ReadableStream<Uint8Array>({
        cancel: () => {
          isCancelled = true;
        },
      });
    });
    expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("is a link or no folder");
    expect(isCancelled).toBe(true);
  });

  it("leaves nothing of a file that breaks off", async () => {
    const lost = new TransportError("api.example was called: the connection was lost", { sent: true });
    offer([NOTES], async () => openBody([Buffer.from("tw")], lost));
    const saved = await desk.call("save_attachment", { id: "3.1" });
    expect(saved.text).toBe("save_attachment failed (resource): api.example was called: the connection was lost.");
    expect(left()).toEqual([]);
  });

  it("saves so much in a turn, earlier attempts of it included, and no more", async () => {
    const part = { type: "tool_result", ordinal: 0, name: "save_attachment", isError: false } as const;
    const formatted = formatEntry(
      buildToolEntry({ id: "e1", timestamp: 0 }, { ...part, text: "[a: 96 bytes]\nIt is saved." }),
    );
    const read = {
      entries: async () => [],
      entriesOfItem: async () => [{ ...formatted, ...ROW, sessionId: "s-1", itemSeq: 3 }],
    };
    offer([NOTES], streamOf("12345"), { read });
    expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("larger than the 4 bytes");
  });

  it("keeps a compressed file as it came", async () => {
    const bomb = Buffer.from("1f8b0800", "hex");
    offer([{ id: "f1", name: "a.gz" }], async () => openBody([bomb]));
    await desk.call("save_attachment", { id: "3.1" });
    expect(readFileSync(join(desk.workspaceDir, FOLDER, "3.1-a.gz"))).toEqual(bomb);
  });
});

it.each([".banyan", ".banyan/received", FOLDER])("attack 13: a link in the place of %s leads nowhere", async (path) => {
  desk.write("elsewhere/x", "x");
  if (path !== ".banyan") mkdirSync(join(desk.workspaceDir, path, ".."), { recursive: true });
  symlinkSync(join(desk.outsideDir, "elsewhere"), join(desk.workspaceDir, path));
  offer([NOTES], streamOf("12345"));
  expect((await desk.call("save_attachment", { id: "3.1" })).text).toMatch(/is a link or no folder/);
  expect(readdirSync(join(desk.outsideDir, "elsewhere"))).toEqual(["x"]);
});

it("waits for the channel where a turn goes on before it is connected", async () => {
  let isConnected = false;
  const files: FilesAbility = { download: streamOf("12345") };
  offer([NOTES], streamOf(), {
    findFiles: () => (isConnected ? files : undefined),
    whenTried: async () => {
      isConnected = true;
    },
  });
  expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("5 bytes");
});

it("says in the channel's words why a file cannot be had", async () => {
  offer([NOTES], async () => {
    throw new ChannelError("permanent", "Fetching the file: refused; ask for it again");
  });
  const { text } = await desk.call("save_attachment", { id: "3.1" });
  expect(text).toBe("save_attachment failed (resource): Fetching the file: refused; ask for it again.");
  offer([NOTES], streamOf(), { findFiles: () => "none" });
  expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("cannot be fetched");
  offer([NOTES], streamOf(), { findFiles: () => undefined });
  expect((await desk.call("save_attachment", { id: "3.1" })).text).toContain("is not connected");
});
