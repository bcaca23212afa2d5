import { afterEach, beforeEach, expect, it } from "vitest";
import { createReadFileTool } from "../../../src/tools/files/read-file.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

/** Reads a whole file as an agent would, page by page. */
async function readPages(path: string, maxBytes?: number): Promise<{ text: string; pages: number }> {
  let text = "";
  for (let offset = 0, pages = 1; ; pages += 1) {
    const result = await desk.call("read_file", { path, offset, ...(maxBytes !== undefined && { maxBytes }) });
    expect(result.isError).toBe(false);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(desk.scope.limits.outputLimitBytes);
    const [, header, body] = /^(.*?)\n([\s\S]*)$/.exec(result.text) ?? [];
    const [, to, of] = /bytes \d+ to (\d+) of (\d+)\]$/.exec(header ?? "") ?? [];
    text += body;
    if (to === of) return { text, pages };
    expect(Number(to)).toBeGreaterThan(offset);
    offset = Number(to);
  }
}

it.each([
  ["a text", "one\ntwo\n"],
  ["an empty file", ""],
  ["a text that writes like the tool", "[a: bytes 0 to 1 of 99]\n[cut here]"],
])("answers %s behind a line with its range", async (_name, content) => {
  desk.write("workspace/a", content);
  expect(await desk.call("read_file", { path: "a" })).toEqual({
    text: `[a: bytes 0 to ${content.length} of ${content.length}]\n${content}`,
    isError: false,
  });
});

it("cuts a page itself, below the output limit, so that reading on misses nothing", async () => {
  const content = "äöü🌱 ".repeat(20_000);
  desk.write("workspace/long.txt", content);
  const { text, pages } = await readPages("long.txt");
  expect(text === content).toBe(true);
  expect(pages).toBe(3);
});

it("keeps to the page an agent asks for, between two characters", async () => {
  desk.write("workspace/a", "🌱🌱🌱");
  expect((await desk.call("read_file", { path: "a", maxBytes: 7 })).text).toBe("[a: bytes 0 to 4 of 12]\n🌱");
  expect(await readPages("a", 5)).toEqual({ text: "🌱🌱🌱", pages: 3 });
});

it("keeps to the read limit where more output would be allowed", async () => {
  desk.write("workspace/a", "x".repeat(300_000));
  desk.scope = { ...desk.scope, limits: { ...desk.scope.limits, outputLimitBytes: 1_000_000 } };
  const { text } = await desk.call("read_file", { path: "a", maxBytes: 290_000 });
  expect(text.slice(0, text.indexOf("\n"))).toBe("[a: bytes 0 to 262144 of 300000]");
});

it("reads text of another encoding without losing its place", async () => {
  desk.write("workspace/latin1", Buffer.alloc(100_000, 0xe4));
  const { text } = await readPages("latin1");
  expect(text).toHaveLength(100_000);
});

it("says that a file is binary", async () => {
  desk.write("workspace/a.png", Buffer.from([0x89, 0x50, 0, 1]));
  expect(await desk.call("read_file", { path: "a.png" })).toEqual({
    text: "read_file failed (error): it is binary, with 4 bytes; only text can be read.",
    isError: true,
  });
});

it("says where the end is", async () => {
  desk.write("workspace/a", "hello");
  expect((await desk.call("read_file", { path: "a", offset: 5 })).text).toMatch(
    /offset 5 is at or after the end; .* 5 bytes/,
  );
  expect((await desk.call("read_file", { path: "a", offset: -1 })).text).toMatch(/invalid\): offset/);
  expect((await desk.call("read_file", { path: "a", maxBytes: 3 })).text).toMatch(/invalid\): maxBytes/);
});

it("quotes a name that would break the line", async () => {
  desk.write("workspace/a\nb", "x");
  expect((await desk.call("read_file", { path: "a\nb" })).text).toBe('["a\\nb": bytes 0 to 1 of 1]\nx');
});

it("attack 34: no secret is missed where two pieces of a file meet", async () => {
  const secret = `a-secret-${"0123456789".repeat(1_000)}`;
  desk.tools = [createReadFileTool({ scrub: (text) => text.replaceAll(secret, "[secret]") })];
  for (const before of [256 * 1_024 - 10_000, 256 * 1_024 - 5_000, 256 * 1_024 - 10]) {
    desk.write("workspace/a", `${"x".repeat(before)}${secret}${"x".repeat(300_000)}`);
    for (const offset of [0, before + 100, before + secret.length + 100_000])
      expect((await desk.call("read_file", { path: "a", offset, maxBytes: 50 })).text).toMatch(
        /^read_file failed \(permission\): it contains a secret of this gateway and is not shown/,
      );
  }
});
