import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BanyanError } from "../../../src/ports/errors.ts";
import {
  buildAttachmentsFolder,
  materializeAttachments,
  removeAttachments,
} from "../../../src/subagents/spawn/materialize-attachments.ts";
import { RUN_ID } from "./spawn-desk.ts";

const FILES = [
  { name: "a.md", bytes: Buffer.from("one") },
  { name: "b.bin", bytes: Buffer.from([0, 255]) },
];
let root: string;
let workspaceDir: string;
let place: { readonly workspaceDir: string; readonly runId: string };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "banyan-attachments-")));
  workspaceDir = join(root, "workspace");
  mkdirSync(workspaceDir);
  place = { workspaceDir, runId: RUN_ID };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = () => join(workspaceDir, ".banyan", RUN_ID);
const codeOf = async (act: Promise<unknown>) =>
  act.then(
    () => "none",
    (error: unknown) => (error instanceof BanyanError ? error.code : String(error)),
  );

it("writes the files into the run's folder, for the owner alone", async () => {
  expect(await materializeAttachments(place, FILES)).toBe(folder());
  expect(readdirSync(folder())).toEqual(["a.md", "b.bin"]);
  expect(readFileSync(join(folder(), "a.md"), "utf8")).toBe("one");
  expect([...readFileSync(join(folder(), "b.bin"))]).toEqual([0, 255]);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder(), "a.md")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(workspaceDir, ".banyan"))).toEqual([RUN_ID]);
});

it("leaves a folder that stands as it is", async () => {
  await materializeAttachments(place, FILES);
  writeFileSync(join(folder(), "a.md"), "changed by the child");
  expect(await materializeAttachments(place, FILES)).toBe(folder());
  expect(readFileSync(join(folder(), "a.md"), "utf8")).toBe("changed by the child");
});

it("begins anew where an earlier try was cut off", async () => {
  mkdirSync(`${folder()}.part`, { recursive: true });
  writeFileSync(join(`${folder()}.part`, "a.md"), "half of i");
  await materializeAttachments(place, FILES);
  expect(readFileSync(join(folder(), "a.md"), "utf8")).toBe("one");
  expect(existsSync(`${folder()}.part`)).toBe(false);
});

it("stands beside what else the host keeps there", async () => {
  mkdirSync(join(workspaceDir, ".banyan", "agents"), { recursive: true });
  await materializeAttachments(place, FILES);
  await removeAttachments(place);
  expect(readdirSync(join(workspaceDir, ".banyan"))).toEqual(["agents"]);
});

it("removes what it wrote and what a cut-off try left, as often as asked", async () => {
  await removeAttachments(place);
  await materializeAttachments(place, FILES);
  mkdirSync(`${folder()}.part`);
  await removeAttachments(place);
  await removeAttachments(place);
  expect(readdirSync(join(workspaceDir, ".banyan"))).toEqual([]);
});

it("says that a workspace is missing, and leaves no part where a file cannot be written", async () => {
  expect(await codeOf(materializeAttachments({ workspaceDir: join(root, "nowhere"), runId: RUN_ID }, FILES))).toBe(
    "attachments_unwritable",
  );
  writeFileSync(join(workspaceDir, ".banyan"), "a file");
  expect(await codeOf(materializeAttachments(place, FILES))).toBe("attachments_unwritable");
  await removeAttachments(place);
  expect(readFileSync(join(workspaceDir, ".banyan"), "utf8")).toBe("a file");
});

describe("attack 13: folders of attachments", () => {
  it.each(["..", ".", "", "a/b", "../x", "a\\b", "x".repeat(65)])("take no run id %j, which is none", async (runId) => {
    expect(() => buildAttachmentsFolder(runId)).toThrow(/is no run id/);
    await expect(removeAttachments({ workspaceDir, runId })).rejects.toThrow(/is no run id/);
  });

  it("are not written through a link that leads outside, nor removed behind it", async () => {
    const outside = join(root, "outside");
    mkdirSync(join(outside, RUN_ID), { recursive: true });
    symlinkSync(outside, join(workspaceDir, ".banyan"));
    expect(await codeOf(materializeAttachments(place, FILES))).toBe("attachments_unwritable");
    await removeAttachments(place);
    expect(readdirSync(outside)).toEqual([RUN_ID]);
    expect(readdirSync(join(outside, RUN_ID))).toEqual([]);
  });

  it("are not taken for written where a link stands in their place", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "kept"), "");
    mkdirSync(join(workspaceDir, ".banyan"));
    symlinkSync(outside, folder());
    symlinkSync(outside, `${folder()}.part`);
    expect(await codeOf(materializeAttachments(place, FILES))).toBe("attachments_unwritable");
    await removeAttachments(place);
    expect(readdirSync(join(workspaceDir, ".banyan"))).toEqual([]);
    expect(readdirSync(outside)).toEqual(["kept"]);
  });
});
