/** What a test of the page needs, closed after each test: chats, browser contexts, tabs. */
import { type Script, say } from "@banyan/runtime-demo";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { ChatTab } from "./chat-tab.ts";
import { openBrowser } from "./open-browser.ts";
import { type OpenChat, openChat } from "./open-chat.ts";

export const ECHO: Script = (turn) => say(`You said: ${turn.input.input[0]?.text}`);
const UNPACK_MS = 120_000;

export interface BrowserStage {
  open(script: Script): Promise<OpenChat>;
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** In a context of its own unless one is given. */
  openTab(url: string, context?: BrowserContext): Promise<ChatTab>;
}

/** One browser for the tests of a file. Registers what begins and ends it. */
export function useBrowser(): BrowserStage {
  let browser: Browser | undefined;
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

  async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (browser === undefined) throw new Error("A browser context was opened: the browser is not there yet");
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  }
  return {
    openContext,
    async open(script) {
      const chat = await openChat(script);
      chats.push(chat);
      return chat;
    },
    async openTab(url, context) {
      const tab = await ChatTab.open(context ?? (await openContext()), url);
      tabs.push(tab);
      return tab;
    },
  };
}
