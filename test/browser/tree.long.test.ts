import { createGate, say, wait } from "@banyan/runtime-demo";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { RunDesk } from "../stage/run-desk.ts";
import { ECHO, useBrowser } from "./browser-stage.ts";
import type { OpenChat } from "./open-chat.ts";

const { open, openContext, openTab } = useBrowser();
const PATIENCE = { timeout: 60_000 } as const;
const PLACE = { sessionKey: "agent:main:main", address: "webchat/default/dm/operator" };

/** Each run as it is read: how deep, what it is called, how it fares, what it says. */
function readTree(page: Page): Promise<string[]> {
  return page.locator("#tree li.run").evaluateAll((items) =>
    items.map((item) => {
      const depth = item.parentElement?.parentElement?.tagName === "LI" ? "  " : "";
      const texts = ["b", ".run-words", ".run-tokens", ".run-note", ".run-delivery"].map(
        (part) => item.querySelector(`:scope > ${part}, :scope > .run-head > ${part}`)?.textContent ?? "",
      );
      return depth + texts.filter((text) => text !== "").join(" · ");
    }),
  );
}

async function ask(chat: OpenChat, tab: { says(text: string): Promise<void>; page: Page }, text: string) {
  await tab.says(text);
  await tab.page.getByText(`You said: ${text}`).waitFor();
  return new RunDesk(chat.store, PLACE);
}

describe("the sub-agents beside the chat", () => {
  test("are not there until there is one, then as a tree that goes on by itself", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    const desk = await ask(chat, tab, "hello");
    const tree = tab.page.getByRole("complementary", { name: "Sub-agents" });
    expect(await tree.isVisible()).toBe(false);
    await desk.spawns("a", "docs");
    await desk.spawns("b", "<b>pages</b>", "a");
    await ask(chat, tab, "and now?");
    await expect.poll(() => readTree(tab.page), PATIENCE).toEqual(["docs · running", "  <b>pages</b> · running"]);
    expect(await tree.locator("summary").textContent()).toBe("Sub-agents 2 at work");
    await desk.ends("b", "Counting.\n3 pages\n");
    await desk.spawns("c", "rest");
    await desk.ends("c", "", { outcome: "failed", error: "It has no key." });
    await expect
      .poll(() => readTree(tab.page), PATIENCE)
      .toEqual([
        "docs · running",
        "  <b>pages</b> · done · 1200 tokens · 3 pages · on its way to the chat",
        "rest · failed · 1200 tokens · It has no key. · on its way to the chat",
      ]);
    await desk.ends("a", "12,874 words");
    await expect.poll(() => tree.locator("summary").textContent(), PATIENCE).toBe("Sub-agents ");
  });

  test("show what they say while they work", async () => {
    const gate = createGate();
    const chat = await open(({ spec }) =>
      spec.sessionKey.includes(":subagent:")
        ? [...say("Counting: 4 files.\n2 of 4 files so far.\n"), wait(gate), ...say("12 words.")]
        : say("hi"),
    );
    const tab = await openTab(chat.url);
    await tab.says("/spawn --label words count words");
    await expect.poll(() => readTree(tab.page), PATIENCE).toEqual(["words · running · 2 of 4 files so far."]);
    gate.open();
    await expect.poll(() => readTree(tab.page), PATIENCE).toEqual(["words · done · 12 words."]);
  });

  test("take their time before everybody's eyes, also while the server is away", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    const desk = await ask(chat, tab, "hello");
    await desk.spawns("a", "docs");
    await ask(chat, tab, "and now?");
    const time = tab.page.locator("li[data-run=a] > .run-head > .run-time");
    await time.waitFor();
    await chat.stop();
    const before = await time.textContent();
    await expect.poll(() => time.textContent(), PATIENCE).not.toBe(before);
  });

  test.each([
    ["a phone", { viewport: { width: 360, height: 640 }, hasTouch: true }],
    ["a desk, in the dark", { viewport: { width: 1100, height: 640 }, colorScheme: "dark" }],
  ] as const)("on %s leave room for the chat, scroll by themselves, and can be folded", async (_name, options) => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url, await openContext(options));
    const desk = await ask(chat, tab, "hello");
    for (let count = 1; count <= 40; count += 1) await desk.spawns(`r${count}`, `${"w".repeat(80)} ${count}`);
    await tab.page.reload();
    await tab.page.locator("li.run").first().waitFor();
    const widths = await tab.page.evaluate(() =>
      [document.documentElement, document.body, document.querySelector("#tree")].map(
        (element) => (element?.scrollWidth ?? 0) - (element?.clientWidth ?? 0),
      ),
    );
    expect(widths).toEqual([0, 0, 0]);
    const readBox = async (selector: string) => tab.page.locator(selector).boundingBox();
    const { height } = options.viewport;
    for (const part of ["#tree", "#composer"]) {
      const box = await readBox(part);
      expect((box?.y ?? height) + (box?.height ?? 1)).toBeLessThanOrEqual(height);
    }
    const chatBefore = (await readBox("main"))?.height ?? 0;
    expect(chatBefore).toBeGreaterThan(height / 2);
    await tab.page.locator("#tree summary").click();
    expect(await tab.page.locator("li.run").first().isVisible()).toBe(false);
    if (options.viewport.width < 500) expect((await readBox("main"))?.height).toBeGreaterThan(chatBefore);
  });

  test("are asked for with the token alone", async () => {
    const chat = await open(ECHO);
    const path = `/api/runs?address=${encodeURIComponent(PLACE.address)}`;
    expect((await fetch(chat.bareUrl + path)).status).toBe(401);
    const answer = await chat.fetch(path);
    expect([answer.status, await answer.json()]).toEqual([200, { sessionKey: PLACE.sessionKey, runs: [], hidden: 0 }]);
    expect((await chat.fetch("/api/runs")).status).toBe(400);
    expect((await chat.fetch("/api/runs?session=nonsense")).status).toBe(400);
    expect((await chat.fetch(path, { method: "POST" })).status).toBe(405);
  });
});
