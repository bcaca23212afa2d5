import { randomUUID } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FilesCapability } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOutgoingFiles } from "../../src/outbound/outgoing-files.ts";
import { createMessageTool, type MessageToolParts } from "../../src/tools/message-tool.ts";
import { ToolDesk } from "./tool-desk.ts";

const SECRET = "token-4711";
const TAKES: FilesCapability = { limitBytes: 10, captionLimit: 100 };

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

function offer(capability: FilesCapability | "none" = TAKES, parts: Partial<MessageToolParts> = {}): void {
  const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };
  const ports = { clock, createUuid: randomUUID, scrub: (text: string) => text.replaceAll(SECRET, "[secret]") };
  const files = createOutgoingFiles(join(desk.outsideDir, "state"), ports);
  const findCapability = () => (capability === "none" ? undefined : capability);
  desk.tools = [createMessageTool({ files, ports: { faultPoint: () => undefined }, findCapability, ...parts })];
}

it("keeps a copy of each file and says what will be sent, which a tap cannot take away", async () => {
  offer();
  desk.write("workspace/a.txt", "oaks");
  desk.after = async () => ({ text: "changed", isError: false });
  const sent = await desk.call("message", { text: "look", files: ["a.txt"] });
  expect(sent).toMatchObject({ text: "changed", says: { text: "look", files: [{ name: "a.txt", sizeBytes: 4 }] } });
  expect(desk.afterSaw[0]?.text).toBe("With a.txt (4 bytes) it is sent when your turn ends.");
});

it("T47: tells of a file that the chat does not take before anything is sent", async () => {
  offer();
  desk.write("workspace/a.txt", "x".repeat(11));
  expect((await desk.call("message", { files: ["a.txt"] })).text).toBe(
    'message failed (resource): "a.txt" has 11 bytes, and this chat takes 10; send less of it.',
  );
  desk.write("workspace/b.txt", "");
  expect((await desk.call("message", { files: ["b.txt"] })).text).toContain("is empty");
});

it("attack 13: sends nothing from outside the workspace", async () => {
  offer();
  desk.write("secret", "x");
  symlinkSync(join(desk.outsideDir, "secret"), join(desk.workspaceDir, "link"));
  for (const path of ["../secret", "link", join(desk.outsideDir, "secret")]) {
    expect(await desk.call("message", { files: [path] })).toMatchObject({ isError: true });
  }
});

it("attack 18: sends no file that holds a secret of the gateway", async () => {
  offer();
  desk.write("workspace/a.txt", SECRET);
  const answer = await desk.call("message", { files: ["a.txt"] });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('"a.txt" holds a secret') });
  expect(answer.says).toBeUndefined();
});

it("gives a file a name that no header minds", async () => {
  offer();
  desk.write('workspace/a"\r\nx: 1;b.txt', "x");
  const { says } = await desk.call("message", { files: ['a"\r\nx: 1;b.txt'] });
  expect(says?.files[0]?.name).toBe("a_x_1_b.txt");
});

it("sends nothing where a chat can't receive files, and refuses where nothing is heard or nothing is said", async () => {
  offer("none");
  desk.write("workspace/a.txt", "x");
  const refused = await desk.call("message", { text: "look", files: ["a.txt"] });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("nothing was sent") });
  expect(refused.says).toBeUndefined();
  expect((await desk.call("message", { text: " " })).text).toContain("it is empty");
  expect((await desk.call("message", { text: "x" })).says).toEqual({ text: "x", files: [] });
  offer(TAKES, { files: undefined });
  expect((await desk.call("message", { files: ["a.txt"] })).text).toContain("keeps no files");
  desk.scope = { ...desk.scope, caller: { ...desk.scope.caller, isQuiet: true } };
  expect((await desk.call("message", { text: "x" })).text).toContain("goes to no chat");
});
