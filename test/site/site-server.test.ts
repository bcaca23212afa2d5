import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveSite } from "./site-server.ts";

test("the built files are served, a folder by its index, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "site/docs"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  for (const path of ["index.html", "404.html", "docs/index.html"]) writeFileSync(join(folder, "site", path), path);
  const { url, close } = await serveSite(join(folder, "site"), 0);
  onTestFinished(close);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    return [response.status, await response.text()];
  };
  expect(await get("")).toEqual([200, "index.html"]);
  expect(await get("docs/")).toEqual([200, "docs/index.html"]);
  expect(await get("docs/index.html?a=b")).toEqual([200, "docs/index.html"]);
  for (const path of ["..%2fsecret.txt", "%2e%2e/secret.txt", "docs", "%", "none.html"])
    expect(await get(path)).toEqual([404, "404.html"]);
});
