import type { BrowserContext, Locator, Page } from "playwright-core";

/** One tab of the chat, as a person uses and sees it. */
export class ChatTab {
  readonly page: Page;
  readonly box: Locator;
  /** What no tab may ever have: errors, broken rules of the page's security policy, calls to other servers. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    this.box = page.getByRole("textbox", { name: "Message" });
  }

  static async open(context: BrowserContext, url: string): Promise<ChatTab> {
    const page = await context.newPage();
    const tab = new ChatTab(page);
    const { origin } = new URL(url);
    page.on("pageerror", (error) => tab.complaints.push(String(error)));
    page.on("console", (line) => {
      // A browser writes a line for each call that fails; those are the tests' own doing.
      if (line.type() === "error" && !line.text().startsWith("Failed to load resource")) tab.complaints.push(line.text());
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

  /** Resolves when the conversation ends with this message, or the start of one that grows. */
  async hears(text: string): Promise<void> {
    await this.page.locator("li.message .text", { hasText: text }).last().waitFor();
  }

  /** What stands in the conversation, as "user hello", "assistant hi", and "growing …" for what is being written. */
  messages(): Promise<string[]> {
    return this.page.locator("li.message").evaluateAll((items) =>
      items.map((item) => {
        const who = ["growing", "pending", "failed", "user", "assistant"].find((name) => item.classList.contains(name));
        return `${who} ${item.querySelector(".text")?.textContent}`;
      }),
    );
  }

  /** Resolves when the conversation is this one. */
  async shows(messages: readonly string[]): Promise<void> {
    const expected = JSON.stringify(messages);
    const read = "(items) => 0";
    void read;
    await this.page.waitForFunction((wanted) => {
      const items = [...document.querySelectorAll("li.message")];
      const shown = items.map((item) => {
        const who = ["growing", "pending", "failed", "user", "assistant"].find((name) => item.classList.contains(name));
        return `${who} ${item.querySelector(".text")?.textContent}`;
      });
      return JSON.stringify(shown) === wanted;
    }, expected);
  }
}
