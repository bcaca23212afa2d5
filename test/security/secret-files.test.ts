import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPrivateWorkshop, tries } from "../stage/private-workshop.ts";
import { openWorkshop } from "../stage/tool-worker.ts";

const TOKEN = "the-token-of-the-house";
/** Far behind the first page. */
const FOUND = `${"The well is deep.\n".repeat(20_000)}It is ${TOKEN}.\n${"So is the night.\n".repeat(20_000)}`;

test("attack 34: a file that holds a secret is shown in no part, neither by offsets nor by a program", async () => {
  const at = FOUND.indexOf(TOKEN);
  const shop = await openPrivateWorkshop(
    { exec: true },
    { config: { server: { port: 0, token: TOKEN } }, files: { "found.txt": FOUND, "plain.txt": "The well is deep." } },
  );
  for (const args of [
    { path: "found.txt" },
    { path: "found.txt", offset: at - 10, maxBytes: 20 },
    { path: "found.txt", offset: at + 10, maxBytes: 20 },
    { path: "found.txt", offset: 100, maxBytes: 20 },
  ])
    expect(await tries(shop, "read_file", args)).toMatch(
      /^read_file failed \(permission\): it contains a secret of this gateway/,
    );
  for (const argv of [
    ["head", "-c", String(at + 10), "found.txt"],
    ["tail", "-c", `+${at + 10}`, "found.txt"],
    ["cut", "-c1-10", "--", "./found.txt"],
    ["grep", "-o", "the-token", "found.txt"],
  ])
    expect([argv, await tries(shop, "exec", { argv })]).toEqual([
      argv,
      expect.stringMatching(/^exec failed \(permission\): .*contains a secret of this gateway/),
    ]);
  expect(await tries(shop, "read_file", { path: "plain.txt", offset: 4 })).toContain("well is deep.");
});

test("attack 34: files of tokens and the configuration are shown to no tool, wherever they are", async () => {
  const shop = await openPrivateWorkshop(
    { exec: true },
    { files: { "docs/.env.local": "OTHER=x", ".envrc": "export OTHER=x", "docs/.ENV": "OTHER=x" } },
  );
  symlinkSync(".envrc", join(shop.workspace, "docs/notes"));
  symlinkSync("../.envrc", join(shop.workspace, "docs/link"));
  const isKept = expect.stringMatching(/failed \(permission\): .* is kept from tools/);
  const uses = (path: string) =>
    [
      ["read_file", { path }],
      ["write_file", { path, content: "x" }],
      ["message", { files: [path] }],
    ] as const;
  for (const path of ["docs/.env.local", ".envrc", "docs/.ENV", "docs/link"]) {
    for (const [tool, args] of uses(path)) expect([path, await tries(shop, tool, args)]).toEqual([path, isKept]);
    expect([path, await tries(shop, "exec", { argv: ["cat", path] })]).toEqual([path, isKept]);
  }
  const besideConfig = await openWorkshop({});
  for (const path of ["banyan.config.json", "./banyan.config.ts"])
    for (const [tool, args] of uses(path))
      expect([path, await tries(besideConfig, tool, args)]).toEqual([path, isKept]);
});
