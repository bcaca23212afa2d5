import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDev } from "banyan";
import { expect, onTestFinished, test } from "vitest";
import { TEST_MS, useBrowser } from "./browser-stage.ts";

const PATIENCE = { timeout: 15_000 } as const;
const browser = useBrowser();

async function openDevHere() {
  const folder = mkdtempSync(join(tmpdir(), "banyan-dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dev = await openDev({ cwd: folder, env: { BANYAN_PORT: "0" }, writeLog: () => undefined });
  onTestFinished(() => dev.stop());
  return dev;
}

test("people on the emulated Telegram and the operator in the web chat talk beside each other", {
  timeout: TEST_MS,
}, async () => {
  const dev = await openDevHere();
  const { page } = await browser.openTab(dev.pageUrl);
  const said = page.locator("#desk-messages li");
  const write = async (text: string) => {
    await page.locator("#desk-text").fill(text);
    await page.locator("#desk-text").press("Enter");
  };
  await write("calc 6*7");
  await expect
    .poll(() => said.allInnerTexts(), PATIENCE)
    .toMatchObject([/Ada[\s\S]*calc 6\*7/, /Banyan[\s\S]*= 42/].map((text) => expect.stringMatching(text)));

  await page.locator("#text").fill("calc 6*8");
  await page.locator("#text").press("Enter");
  await expect.poll(() => page.locator("li.message.assistant").allInnerTexts(), PATIENCE).toHaveLength(1);

  await page.getByRole("tab", { name: "Grove" }).click();
  await expect.poll(() => said.count(), PATIENCE).toBeLessThan(2);
  await page.locator("#desk-person").selectOption("Ben");
  await write("@banyan_dev_bot calc 6*9");
  await expect.poll(() => said.last().textContent(), PATIENCE).toMatch(/Banyan[\s\S]*= 54/);

  await page.getByRole("tab", { name: "Ben" }).click();
  await expect.poll(() => said.count(), PATIENCE).toBe(0);
});

test("what the page calls asks for the operator's token", async () => {
  const dev = await openDevHere();
  const url = new URL(dev.pageUrl);
  expect((await fetch(`${url.origin}/dev`)).status).toBe(200);
  expect((await fetch(`${url.origin}/dev/chats`)).status).toBe(401);
  const headers = { authorization: `Bearer ${dev.token}` };
  const say = (body: object) => fetch(`${url.origin}/dev/say`, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await say({ chat: "grove", person: "Mallory", text: "hi" })).status).toBe(400);
  expect((await say({ chat: "dm-7550356540", person: "Ada", text: "hi" })).status).toBe(400);
  expect((await say({ chat: "grove", person: "Ada", text: " " })).status).toBe(400);
});
