import { say } from "@banyan/runtime-demo";
import { describe, expect, test } from "vitest";
import { ECHO, useBrowser } from "./browser-stage.ts";

const { open, openContext, openTab } = useBrowser();

describe("what a person sees", () => {
  test("Markdown is shown, markup stays text", async () => {
    const evil = '<img src=x onerror="alert(1)"> [a](javascript:alert(1)) **bold** [b](https://example.com/)';
    const chat = await open([say(`${evil}\n\n- one\n- two\n\n\`\`\`js\n<script>alert(1)</script>\n\`\`\``)]);
    const tab = await openTab(chat.url);
    await tab.says(evil);
    const answer = tab.page.locator("li.assistant:not(.growing) .text");
    expect(await answer.locator("strong").textContent()).toBe("bold");
    expect(await answer.locator("li").allTextContents()).toEqual(["one", "two"]);
    expect(await answer.locator("pre").textContent()).toBe("<script>alert(1)</script>");
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
    ["without a token", "", /Access token required\. Open the address that banyan start prints\./],
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

  test("the view follows the end, also when the box grows, but not away from what is read", async () => {
    const chat = await open(ECHO);
    const tab = await openTab(chat.url, await openContext({ viewport: { width: 360, height: 480 } }));
    const lines = "line\n".repeat(40);
    await tab.says(`${lines}the last one`);
    const answer = tab.page.locator("li.assistant:not(.growing)").first();
    await answer.waitFor();
    const readGap = () =>
      tab.page
        .locator("#scroll")
        .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await expect.poll(readGap).toBeLessThan(2);
    await tab.box.fill("a\nb\nc\nd");
    await expect.poll(readGap).toBeLessThan(2);
    await tab.page.locator("#scroll").evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(readGap).toBeGreaterThan(500);
    await chat.fetch("/api/webchat/messages", { method: "POST", body: '{"text":"elsewhere"}' });
    await tab.page.getByText("You said: elsewhere").waitFor({ state: "attached" });
    expect(await tab.page.locator("#scroll").evaluate((element) => element.scrollTop)).toBe(0);
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
