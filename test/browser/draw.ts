/**
 * Draws the pictures of the README from running gateways, light and dark: `pnpm pictures`. The machine needs a font for
 * emoji.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDev } from "banyan";
import type { Page } from "playwright-core";
import { openBrowser } from "./open-browser.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The web chat: a task that an agent splits over sub-agents, and one of a person that is still at work. */
async function playWebChat(page: Page, devUrl: string): Promise<void> {
  const url = new URL(devUrl);
  await page.goto(`${url.origin}/${url.search}`);
  const say = async (text: string) => {
    await page.locator("#text").fill(text);
    await page.locator("#text").press("Enter");
  };
  await say("count words in docs");
  await page.getByText(/has [\d,]+ words in/).waitFor();
  await say("/spawn --label nap slow 600");
  await page.locator("#tree li.run").filter({ hasText: "nap" }).getByText("running").waitFor();
  await page.getByText("is at work").waitFor();
}

/** The emulated Discord: a sub-agent works in a thread, and people talk with it there. */
async function playDiscordThread(page: Page, devUrl: string): Promise<void> {
  await page.goto(devUrl);
  const tab = (name: string | RegExp) => page.getByRole("tablist", { name: "Discord" }).getByRole("tab", { name });
  const messages = page.locator("#desk-messages > li");
  const say = async (text: string) => {
    await page.locator("#desk-text").fill(text);
    await page.locator("#desk-text").press("Enter");
  };
  await tab("# general").click();
  await say("/spawn --thread count words in docs");
  await tab(/✅ count words in docs/).click();
  await messages.filter({ hasText: /has [\d,]+ words in/ }).waitFor();
  await say("calc (2+3)*4");
  await messages.filter({ hasText: "(2+3)*4 = 20" }).waitFor();
}

const PICTURES = [
  ["web-chat", playWebChat],
  ["discord-thread", playDiscordThread],
] as const;

const browser = await openBrowser();
try {
  for (const [name, play] of PICTURES)
    for (const colorScheme of ["light", "dark"] as const) await draw(`${name}-${colorScheme}`, colorScheme, play);
} finally {
  await browser.close();
}

async function draw(name: string, colorScheme: "light" | "dark", play: typeof playWebChat): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "banyan-picture-"));
  const workspace = join(folder, "workspace");
  cpSync(join(REPOSITORY, "docs"), join(workspace, "docs"), { recursive: true, filter: isText });
  writeFileSync(
    join(folder, "banyan.config.json"),
    JSON.stringify({ agents: { main: { runtime: "demo", workspace } } }),
  );
  const dev = await openDev({ cwd: folder, env: { BANYAN_PORT: "0" }, writeLog: () => undefined });
  const context = await browser.newContext({ viewport: { width: 1160, height: 620 }, colorScheme });
  try {
    const page = await context.newPage();
    await play(page, dev.pageUrl);
    const path = join("docs", "images", `${name}.png`);
    await page.screenshot({ path: join(REPOSITORY, path), animations: "disabled" });
    console.log(`Drew ${path}`);
  } finally {
    await context.close();
    await dev.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function isText(path: string): boolean {
  return !path.endsWith(".png");
}
