import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

const PATIENCE = { timeout: 60_000 } as const;

/** One tab of the chat, as a person uses and sees it. */
export class ChatTab {
  readonly page: Page;
  readonly box: Locator;
  /** What no tab may ever have: errors, broken rules of the page's security policy, calls to other servers. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.box = page.getByRole("textbox", { name: "Message" });
  }

  static async open(context: BrowserContext, url: string): Promise<ChatTab> {
    const page = await context.newPage();
    const tab = new ChatTab(page);
    const { origin } = new URL(url);
    page.on("pageerror", (error) => tab.complaints.push(String(error)));
    page.on("console", (line) => {
      // The browser writes a line for each call that fails; those are the tests' own doing.
      if (line.type() === "error" && !line.text().startsWith("Failed to load")) tab.complaints.push(line.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== origin) tab.complaints.push(`called ${request.url()}`);
    });
    await page.goto(url);
    return tab;
  }

  async says(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press("Enter");
  }

  /** The conversation becomes this one: "user hello", "assistant hi", "growing h", "pending hello", "failed hello". */
  async shows(...messages: readonly string[]): Promise<void> {
    await expect.poll(() => this.#readMessages(), PATIENCE).toEqual(messages);
  }

  async tells(status: string | RegExp): Promise<void> {
    await expect.poll(() => this.page.getByRole("status").textContent(), PATIENCE).toMatch(status);
  }

  #readMessages(): Promise<string[]> {
    return this.page.locator("li.message").evaluateAll((items) =>
      items.map((item) => {
        const who = ["growing", "pending", "failed", "user", "assistant"].find((name) => item.classList.contains(name));
        return `${who} ${item.querySelector(".text")?.textContent}`;
      }),
    );
  }
}
