/** The built site in a browser without a network. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import { formatRoute, listPages, readTitle } from "../site/site-page.ts";
import { type SiteServer, serveSite } from "../site/site-server.ts";
import { useBrowser } from "./browser-stage.ts";

const { openContext } = useBrowser();
const folder = mkdtempSync(join(tmpdir(), "banyan-site-"));
let server: SiteServer;

beforeAll(async () => {
  const built = await runCommand(process.execPath, [join(REPOSITORY, "test/site/build.ts"), "--into", folder]);
  expect(built.exitCode, built.output).toBe(0);
  server = await serveSite(folder, 0);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page, and what it asked for that is not of the site. */
async function openPage(): Promise<{ readonly page: Page; readonly elsewhere: readonly string[] }> {
  const elsewhere: string[] = [];
  const page = await (await openContext()).newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith("data:")) elsewhere.push(url);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) elsewhere.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => elsewhere.push(error.message));
  return { page, elsewhere };
}

test("every page shows its title and loads only files of the site", async () => {
  const { page, elsewhere } = await openPage();
  for (const path of listPages()) {
    await page.goto(new URL(formatRoute(path), server.url).href, { waitUntil: "networkidle" });
    const title = readTitle(path).replaceAll("`", "");
    expect((await page.locator("h1").first().textContent())?.replaceAll("\u200b", "").trim()).toBe(title);
  }
  expect(elsewhere).toEqual([]);
});

test("a person searches, and a result leads to its heading", async () => {
  const { page, elsewhere } = await openPage();
  await page.goto(server.url);
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator("#localsearch-input").fill("identityLinks");
  await page.locator(".VPLocalSearchBox .result").first().click();
  await page.waitForURL(/\/docs\/.*\.html#/);
  const heading = page.locator(`[id="${decodeURIComponent(new URL(page.url()).hash.slice(1))}"]`);
  await heading.waitFor();
  expect(elsewhere).toEqual([]);
});

test("the picture of the README is shown, and its links lead to pages", async () => {
  const { page } = await openPage();
  await page.goto(server.url);
  const picture = page.locator("picture img").first();
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(100);
  await page.locator(".vp-doc").getByRole("link", { name: "Getting started" }).click();
  await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
});
