import { createGate, type Script, say, wait } from "@banyan/runtime-demo";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ChatTab } from "./chat-tab.ts";
import { openBrowser } from "./open-browser.ts";
import { type OpenChat, openChat } from "./open-chat.ts";

const ECHO: Script = (turn) => say(`You said: ${turn.input.input[0]?.text}`);
const UNPACK_MS = 120_000;
const TEST_MS = 60_000;

let browser: Browser;
const chats: OpenChat[] = [];
const contexts: BrowserContext[] = [];
const tabs: ChatTab[] = [];

beforeAll(async () => {
  browser = await openBrowser();
}, UNPACK_MS);

afterAll(() => browser?.close());

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  for (const chat of chats.splice(0)) await chat.stop();
  for (const tab of tabs.splice(0)) expect(tab.complaints).toEqual([]);
});

async function open(script: Script): Promise<OpenChat> {
  const chat = await openChat(script);
  chats.push(chat);
  return chat;
}

async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  contexts.push(context);
  return context;
}

async function openTab(url: string, context?: BrowserContext): Promise<ChatTab> {
  const tab = await ChatTab.open(context ?? (await openContext()), url);
  tabs.push(tab);
  return tab;
}

describe("a conversation in the browser", { timeout: TEST_MS }, () => {
  test("a message is written, the answer grows, arrives, and is there after a reload", async () => {
    const gate = createGate();
    const { url, bareUrl } = await open([[...say("I am", " thinking"), wait(gate), ...say(" about it.")]]);
    const tab = await openTab(url);
    await tab.says("hello");
    await tab.shows("user hello", "growing I am thinking");
    gate.open();
    await tab.shows("user hello", "assistant I am thinking about it.");
    expect(tab.page.url()).toBe(`${bareUrl}/`);
    await tab.page.reload();
    await tab.shows("user hello", "assistant I am thinking about it.");
  });

  test("several tabs and a script stay in step", async () => {
    const gate = createGate();
    const script: Script = (turn) => (turn.index === 0 ? [...say("half "), wait(gate), ...say("full")] : say("second"));
    const chat = await open(script);
    const context = await openContext();
    const first = await openTab(chat.url, context);
    await first.says("from the first");
    await first.shows("user from the first", "growing half ");
    const second = await openTab(chat.bareUrl, context);
    await second.shows("user from the first", "growing half ");
    gate.open();
    await second.shows("user from the first", "assistant half full");
    const posted = await chat.fetch("/api/webchat/messages", { method: "POST", body: '{"text":"from a script"}' });
    expect(posted.status).toBe(202);
    const whole = ["user from the first", "assistant half full", "user from a script", "assistant second"];
    await first.shows(...whole);
    await second.shows(...whole);
  });

  test("the server goes and comes back: what was written meanwhile arrives, once", async () => {
    const chat = await open(ECHO);
    const context = await openContext();
    const [writer, reader] = [await openTab(chat.url, context), await openTab(chat.url, context)];
    await writer.says("one");
    await reader.shows("user one", "assistant You said: one");
    await chat.stop();
    await writer.says("two");
    await writer.shows("user one", "assistant You said: one", "pending two");
    await writer.tells(/No connection/);
    await chat.restart();
    const whole = ["user one", "assistant You said: one", "user two", "assistant You said: two"];
    await writer.shows(...whole);
    await reader.shows(...whole);
    const { messages } = await (await chat.fetch("/api/webchat/messages")).json();
    expect(messages).toHaveLength(4);
  });

  test("an answer to the POST is lost: the message is sent again and taken once", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    let lost = 0;
    await tab.page.route("**/messages", async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await tab.says("hello");
    await tab.shows("user hello", "assistant You said: hello");
    await tab.says("again");
    await tab.shows("user hello", "assistant You said: hello", "user again", "assistant You said: again");
    expect(lost).toBe(1);
  });

  test("a message under way survives a reload of the tab", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    await tab.page.route("**/messages", (route) => route.abort());
    await tab.says("hello");
    await tab.box.fill("a draft");
    await tab.shows("pending hello");
    await tab.page.unroute("**/messages");
    await tab.page.reload();
    await tab.shows("user hello", "assistant You said: hello");
    expect(await tab.box.inputValue()).toBe("a draft");
  });

  test("Shift+Enter makes a line, and a blank message is none", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    await tab.says("   ");
    await tab.box.fill("one");
    await tab.box.press("Shift+Enter");
    await tab.box.pressSequentially("two");
    await tab.page.getByRole("button", { name: "Send" }).click();
    await tab.shows("user one\ntwo", "assistant You said: onetwo");
  });

  test("a text that is too large is refused with the reason, and can be taken back", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    const text = "x".repeat(1024 * 1024 + 1);
    await tab.says(text);
    await tab.shows(`failed ${text}`);
    await tab.page.getByText("its text may have 1048576 bytes, it has 1048577").waitFor();
    await tab.page.getByRole("button", { name: "Edit and send again" }).click();
    await tab.shows();
    expect(await tab.box.inputValue()).toBe(text);
    await tab.says("shorter");
    await tab.shows("user shorter", "assistant You said: shorter");
  });
});

describe("what a person sees", { timeout: TEST_MS }, () => {
  test("Markdown is shown, markup stays text", async () => {
    const evil = '<img src=x onerror="alert(1)"> [a](javascript:alert(1)) **bold** [b](https://example.com/)';
    const chat = await open([say(`${evil}\n\n- one\n- two\n\n\`\`\`js\n<script>alert(1)</script>\n\`\`\``)]);
    const tab = await openTab(chat.url);
    await tab.says(evil);
    const answer = tab.page.locator("li.assistant:not(.growing) .text");
    expect(await answer.locator("strong").innerText()).toBe("bold");
    expect(await answer.locator("li").allInnerTexts()).toEqual(["one", "two"]);
    expect(await answer.locator("pre").innerText()).toBe("<script>alert(1)</script>");
    const link = answer.locator("a");
    expect([await link.count(), await link.getAttribute("href")]).toEqual([1, "https://example.com/"]);
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await tab.page.locator("li.message img, li.message script").count()).toBe(0);
  });

  test.each([
    ["a phone", { viewport: { width: 360, height: 640 }, hasTouch: true }],
    ["a small one, in the dark", { viewport: { width: 320, height: 480 }, colorScheme: "dark" }],
  ] as const)("on %s nothing scrolls sideways and the box is in sight", async (_name, options) => {
    const wide = "w".repeat(300);
    const chat = await open([
      say(`${wide} [${wide}](https://example.com/${wide})\n\n\`\`\`\n${wide}\n\`\`\`\n\n\`${wide}\``),
    ]);
    const tab = await openTab(chat.url, await openContext(options));
    await tab.says(`${wide}\n`.repeat(9));
    await tab.page.locator("li.assistant:not(.growing) pre").waitFor();
    const widths = await tab.page.evaluate(() =>
      [document.documentElement, document.body, document.querySelector("#scroll")].map(
        (element) => (element?.scrollWidth ?? 0) - (element?.clientWidth ?? 0),
      ),
    );
    expect(widths).toEqual([0, 0, 0]);
    const box = await tab.box.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(options.viewport.height);
    expect(await tab.page.locator("#tree").isVisible()).toBe(false);
  });

  test.each([
    ["without a token", "", /This page needs its key\. Open the address that banyan start prints\./],
    ["with a wrong one", "?token=wrong", /no longer valid\. Open the address that banyan start prints\./],
  ])("%s the page says what to do, and goes on when the address is opened", async (_name, query, sentence) => {
    const chat = await open(ECHO);
    const context = await openContext();
    const tab = await openTab(`${chat.bareUrl}/${query}`, context);
    await tab.tells(sentence);
    await tab.says("hello");
    await tab.shows("pending hello");
    await openTab(chat.url, context);
    await tab.shows("user hello", "assistant You said: hello");
    expect(await tab.page.getByRole("status").isVisible()).toBe(false);
  });

  test("it can be used by keyboard, and tells a screen reader what is new", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url);
    expect(await tab.box.evaluate((element) => element === document.activeElement)).toBe(true);
    await tab.box.fill("hello");
    await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.press("Enter");
    await tab.shows("user hello", "assistant You said: hello");
    const log = tab.page.getByRole("log");
    expect(await log.getAttribute("aria-live")).toBe("polite");
    expect(await log.getAttribute("aria-busy")).toBe("false");
  });
});
