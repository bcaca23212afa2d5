import { createGate, type Script, say, wait } from "@banyan/runtime-demo";
import { describe, expect, test } from "vitest";
import { ECHO, useBrowser } from "./browser-stage.ts";

const { open, openContext, openTab } = useBrowser();

describe("a conversation in the browser", () => {
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
    await first.shows("user from the first", "growing half");
    const second = await openTab(chat.bareUrl, context);
    await second.shows("user from the first", "growing half");
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

test("without the token, from another site or under another name the API is closed", async () => {
  const { bareUrl, fetch: ask } = await open(ECHO);
  const calls = [
    ["/api/webchat/messages", "GET"],
    ["/api/webchat/messages", "POST"],
    ["/api/webchat/events", "GET"],
  ] as const;
  for (const [path, method] of calls) {
    const body = method === "POST" ? '{"text":"hello"}' : null;
    const bare = await fetch(bareUrl + path, { method, body });
    const wrong = await fetch(bareUrl + path, { method, body, headers: { authorization: "Bearer wrong" } });
    const foreign = await fetch(bareUrl + path, { method, body, headers: { origin: "https://evil.example" } });
    expect([bare.status, wrong.status, foreign.status]).toEqual([401, 401, 403]);
  }
  expect(await (await ask("/api/webchat/messages")).json()).toEqual({ messages: [] });
});
