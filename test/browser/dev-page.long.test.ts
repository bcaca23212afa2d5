import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDev } from "banyan";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "./browser-stage.ts";

const PATIENCE = { timeout: 60_000 } as const;
const browser = useBrowser();

async function openDevHere() {
  const folder = mkdtempSync(join(tmpdir(), "banyan-dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dev = await openDev({ cwd: folder, env: { BANYAN_PORT: "0" }, writeLog: () => undefined });
  onTestFinished(() => dev.stop());
  return dev;
}

/** The emulated platforms' side of the page. */
function useDesk(page: Page) {
  const said = page.locator("#desk-messages > li");
  const tab = (platform: string, name: string | RegExp) =>
    page.getByRole("tablist", { name: platform }).getByRole("tab", { name });
  return {
    said,
    tab,
    async write(text: string) {
      await page.locator("#desk-text").fill(text);
      await page.locator("#desk-text").press("Enter");
    },
    /** The messages of the chosen chat become these, each matched in its place. */
    shows: (...messages: readonly RegExp[]) =>
      expect
        .poll(() => said.allInnerTexts(), PATIENCE)
        .toMatchObject(messages.map((text) => expect.stringMatching(text))),
  };
}

test("people on the emulated Telegram and the operator in the web chat talk beside each other", async () => {
  const dev = await openDevHere();
  const { page } = await browser.openTab(dev.pageUrl);
  const desk = useDesk(page);
  await desk.tab("Telegram", "Ada").click();
  await desk.write("calc 6*7");
  await desk.shows(/Ada[\s\S]*calc 6\*7/, /Banyan[\s\S]*= 42/);

  await page.locator("#text").fill("calc 6*8");
  await page.locator("#text").press("Enter");
  await expect.poll(() => page.locator("li.message.assistant").allInnerTexts(), PATIENCE).toHaveLength(1);

  await desk.tab("Telegram", "Grove").click();
  await expect.poll(() => desk.said.count(), PATIENCE).toBeLessThan(2);
  await page.locator("#desk-person").selectOption("Ben");
  await desk.write("@banyan_dev_bot calc 6*9");
  await expect.poll(() => desk.said.last().textContent(), PATIENCE).toMatch(/Banyan[\s\S]*= 54/);

  await desk.tab("Telegram", "Ben").click();
  await expect.poll(() => desk.said.count(), PATIENCE).toBe(0);
});

test.each([
  ["a desk", { viewport: { width: 1280, height: 800 } }],
  ["a phone", { viewport: { width: 390, height: 844 } }],
])(
  "a newcomer sees a sub-agent open its thread and work there, talks with it, and finds its card in the channel: on %s",
  async (_name, options) => {
    const dev = await openDevHere();
    const { page } = await browser.openTab(dev.pageUrl, await browser.openContext(options));
    const desk = useDesk(page);
    await expect.poll(() => desk.tab("Discord", "# general").getAttribute("aria-selected"), PATIENCE).toBe("true");
    await desk.write("/spawn --thread slow 3");
    const thread = desk.tab("Discord", /slow 3/);
    await expect.poll(() => thread.getAttribute("class"), PATIENCE).toMatch(/thread news/);
    await thread.click();
    await expect.poll(() => desk.said.allInnerTexts(), PATIENCE).toContainEqual(expect.stringMatching(/1 2 3/));
    await expect.poll(() => thread.textContent(), PATIENCE).toBe("✅ slow 3");
    await desk.write("calc 6*7");
    await expect.poll(() => desk.said.last().textContent(), PATIENCE).toMatch(/Banyan[\s\S]*= 42/);

    await desk.tab("Discord", "# general").click();
    await expect
      .poll(() => desk.said.last().textContent(), PATIENCE)
      .toMatch(/Banyan[\s\S]*✅ slow 3[\s\S]*done[\s\S]*1 2 3/);
    const isWithin = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(isWithin).toBe(true);
  },
);

test("a thread that is done is shown as an archived one, and a question in the forum opens a post with its answer", async () => {
  const { page } = await browser.openTab((await openDevHere()).pageUrl);
  const desk = useDesk(page);
  await page.getByRole("button", { name: "/spawn --thread slow 5" }).click();
  expect(await page.locator("#desk-text").inputValue()).toBe("/spawn --thread slow 5");
  await desk.write("/spawn --thread --mode run calc 6*7");
  await expect.poll(() => desk.tab("Discord", "✅ calc 6*7 archived").count(), PATIENCE).toBe(1);
  await desk.tab("Discord", "# ideas").click();
  await desk.write("calc 6*8");
  await desk.shows(/Ada[\s\S]*calc 6\*8[\s\S]*Open post/);
  await desk.said.getByRole("button", { name: "Open post" }).click();
  await desk.shows(/Ada[\s\S]*calc 6\*8/, /Banyan[\s\S]*= 48/);
});

test("the buttons of a card are pressed: one stops what is at work, one opens the thread", async () => {
  const { page } = await browser.openTab((await openDevHere()).pageUrl);
  const desk = useDesk(page);
  await desk.tab("Discord", "# general").click();
  await desk.write("/spawn --thread slow 60");
  await desk.said.getByRole("button", { name: "Stop" }).click(PATIENCE);
  await expect.poll(() => page.locator("#desk-status").textContent(), PATIENCE).toBe("On it.");
  await expect.poll(() => desk.said.allInnerTexts(), PATIENCE).toContainEqual(expect.stringMatching(/Stopped .*slow/));
  await desk.write("/spawn --thread fail");
  const card = desk.said.filter({ has: page.locator(".card") });
  await expect.poll(() => card.textContent(), PATIENCE).toMatch(/❌ fail\s*failed · .* s\s*I was asked to fail/);
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Open thread"]);
  await card.getByRole("button", { name: "Open thread" }).click();
  await expect.poll(() => desk.tab("Discord", /fail/).getAttribute("aria-selected"), PATIENCE).toBe("true");
});

test("what the page calls asks for the operator's token", async () => {
  const dev = await openDevHere();
  const url = new URL(dev.pageUrl);
  expect((await fetch(`${url.origin}/dev`)).status).toBe(200);
  expect((await fetch(`${url.origin}/dev/chats`)).status).toBe(401);
  const headers = { authorization: `Bearer ${dev.token}` };
  const say = (body: object) => fetch(`${url.origin}/dev/say`, { method: "POST", headers, body: JSON.stringify(body) });
  const desk = "telegram";
  expect((await say({ desk, chat: "grove", person: "Mallory", text: "hi" })).status).toBe(400);
  expect((await say({ desk, chat: "dm-7550356540", person: "Ada", text: "hi" })).status).toBe(400);
  expect((await say({ desk, chat: "grove", person: "Ada", text: " " })).status).toBe(400);
  expect((await say({ desk: "irc", chat: "grove", person: "Ada", text: "hi" })).status).toBe(400);
  expect((await say({ desk: "discord", chat: "grove", person: "Ada", text: "hi" })).status).toBe(400);
});
