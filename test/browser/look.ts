import { createGate, say, wait } from "@banyan/runtime-demo";
import { openBrowser } from "./open-browser.ts";
import { openChat } from "./open-chat.ts";

const dir = process.argv[2] ?? "/tmp/scratch";
const gate = createGate();
const long = `## What I found

The folder \`docs/\` has **12,874 words** in 34 files; the longest is [write-a-channel](https://example.com/docs). See https://example.com/a?b=c.

1. First count the *files*
2. Then the words:
   - by file
   - by folder
3. Add them up

\`\`\`ts
export function countWords(text: string): number {
  return text.split(/\\s+/).filter((word) => word !== "").length; // a long comment that makes this line wider than the phone is
}
\`\`\`

That is all.`;
const chat = await openChat([
  [...say(long)],
  [...say("Fine. ", "I will look"), wait(gate), ...say(" at it **now** and")],
]);
const browser = await openBrowser();
for (const [name, options] of Object.entries({
  light: { colorScheme: "light", viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1200, height: 800 } },
  phone: { colorScheme: "light", viewport: { width: 375, height: 700 }, deviceScaleFactor: 2, hasTouch: true },
} as const)) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (m) => console.log(name, m.type(), m.text()));
  page.on("pageerror", (e) => console.log(name, "ERROR", e));
  await page.goto(chat.url);
  if (name === "light") {
    await page.getByRole("log").waitFor({ state: "attached" });
    await page.screenshot({ path: `${dir}/empty.png` });
    await page
      .getByLabel("Message", { exact: true })
      .fill("Count the words in docs, please.\nAnd tell me which file is the longest.");
    await page.keyboard.press("Enter");
    await page.getByText("That is all.").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Thank you");
    await page.keyboard.press("Enter");
    await gate.reached;
    await chat.fetch("/api/webchat/messages", { method: "POST", body: JSON.stringify({ text: "/nothing", id: "x" }) });
    await page.getByText("I will look").waitFor();
  }
  await page.getByText("That is all.").waitFor();
  await page.screenshot({ path: `${dir}/${name}.png` });
  if (name === "phone") {
    await page.locator("#scroll").evaluate((e) => {
      e.scrollTop = 250;
    });
    await page.screenshot({ path: `${dir}/phone2.png` });
  }
}
const lost = await (await browser.newContext({ viewport: { width: 375, height: 500 } })).newPage();
await lost.goto(chat.bareUrl);
await lost.getByText("banyan start").waitFor();
await lost.screenshot({ path: `${dir}/lost.png` });
gate.open();
await browser.close();
await chat.stop();
