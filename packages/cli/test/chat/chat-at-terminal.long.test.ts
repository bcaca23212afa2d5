import { createGate, type Script, say, wait } from "@banyan/runtime-demo";
import { describe, expect, onTestFinished, test } from "vitest";
import { chatAtTerminal } from "../../src/chat/chat-at-terminal.ts";
import { type ChatStage, openChatStage } from "./chat-stage.ts";
import { VirtualScreen } from "./virtual-screen.ts";

const HEAD = ["Type a message, or /help. Ctrl-C or", "Ctrl-D leaves; the gateway goes on.", ""];
const CTRL_A = "\u0001";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

async function sit(
  script: Script,
  driver?: "sqlite",
): Promise<{ stage: ChatStage; screen: VirtualScreen; left: Promise<void> }> {
  const stage = await openChatStage(script, driver);
  const { screen, left } = sitDown(stage);
  return { stage, screen, left };
}

function sitDown(stage: ChatStage): { screen: VirtualScreen; left: Promise<void> } {
  const screen = new VirtualScreen();
  const left = chatAtTerminal(stage.gateway, screen);
  onTestFinished(async () => {
    screen.types(CTRL_C);
    await left;
  });
  return { screen, left };
}

describe("banyan chat at a terminal", () => {
  test("an answer grows in its place and stands in the end, once", async () => {
    const [first, second] = [createGate(), createGate()];
    const { screen } = await sit([
      [...say("I look."), wait(first), ...say("\nThere are\n- one\n- two"), wait(second), ...say("\nDone.")],
    ]);
    await screen.shows(...HEAD, "you");
    screen.types("hello\r");
    await screen.shows(...HEAD, "you   hello", "main  I look. …", "you");
    first.open();
    const grown = ["main  I look.", "      There are", "      - one"];
    await screen.shows(...HEAD, "you   hello", ...grown, "      - two …", "you");
    second.open();
    await screen.shows(...HEAD, "you   hello", ...grown, "      - two", "      Done.", "you");
  });

  test("a line that is entered before the conversation is open is answered", async () => {
    const stage = await openChatStage([say("Hi.")]);
    const screen = new VirtualScreen();
    const left = chatAtTerminal(stage.gateway, screen);
    onTestFinished(async () => {
      screen.types(CTRL_C);
      await left;
    });
    screen.types("hello\r");
    await screen.shows("hello", ...HEAD, "you   hello", "main  Hi.", "you");
  });

  test("what is being typed stays while an answer grows, over several rows and under the cursor", async () => {
    const [first, second] = [createGate(), createGate()];
    const { screen } = await sit([[...say("One"), wait(first), ...say(" two"), wait(second), ...say(" three.")]]);
    await screen.shows(...HEAD, "you");
    screen.types("go\r");
    await screen.shows(...HEAD, "you   go", "main  One …", "you");
    const typed = ["you   a question that is longer than the", " screen is wide"];
    screen.types("a question that is longer than the screen is wide");
    await screen.shows(...HEAD, "you   go", "main  One …", ...typed);
    first.open();
    await screen.shows(...HEAD, "you   go", "main  One two …", ...typed);
    screen.types(CTRL_A);
    second.open();
    await screen.shows(...HEAD, "you   go", "main  One two three.", ...typed);
    screen.types("This is ");
    await screen.shows(
      ...HEAD,
      "you   go",
      "main  One two three.",
      "you   This is a question that is longer",
      "than the screen is wide",
    );
  });

  test("a message sent meanwhile stands above the answer that grows", async () => {
    const gate = createGate();
    const { screen } = await sit([[...say("Still"), wait(gate), ...say(" here.")], say("Second.")]);
    await screen.shows(...HEAD, "you");
    screen.types("one\r");
    await screen.shows(...HEAD, "you   one", "main  Still …", "you");
    screen.types("a second one that is too long for a row\r");
    const second = ["you   a second one that is too long for", "      a row"];
    await screen.shows(...HEAD, "you   one", ...second, "main  Still …", "you");
    gate.open();
    await screen.shows(...HEAD, "you   one", ...second, "main  Still here.", "main  Second.", "you");
  });

  test("what is said in the browser appears, and what was said before is there at the start", async () => {
    const { screen, stage } = await sit((turn) => say(`heard ${turn.input.input[0]?.text}`));
    await screen.shows(...HEAD, "you");
    await stage.saysElsewhere("from the browser");
    const said = ["you   from the browser", "main  heard from the browser"];
    await screen.shows(...HEAD, ...said, "you");
    const later = sitDown(stage);
    await later.screen.shows(...HEAD, ...said, "you");
  });

  test("commands are messages, and a stopped answer leaves the screen", async () => {
    const { screen } = await sit([[...say("Half"), wait(createGate())]]);
    await screen.shows(...HEAD, "you");
    screen.types("go\r");
    await screen.shows(...HEAD, "you   go", "main  Half …", "you");
    screen.types("/stop\r");
    await screen.shows(
      ...HEAD,
      "you   go",
      "you   /stop",
      "main  Stopped. What was said so far is",
      "      kept.",
      "you",
    );
  });

  test("the gateway goes and comes back; what was typed meanwhile is answered", async () => {
    const { screen, stage } = await sit((turn) => say(`heard ${turn.input.input[0]?.text}`), "sqlite");
    await screen.shows(...HEAD, "you");
    await stage.stop();
    await screen.shows(...HEAD, "      the gateway is away; trying again", "      …", "you");
    screen.types("are you there\r");
    await stage.start();
    const end = ["you   are you there", "      the gateway is back", "main  heard are you there"];
    await expect.poll(() => screen.look().slice(-4)).toEqual([...end, "you"]);
  });

  test("an answer cannot take the terminal over", async () => {
    const { screen } = await sit([say("\u001b[2J\u001b]0;owned\u0007plain")]);
    await screen.shows(...HEAD, "you");
    screen.types("hello\r");
    await screen.shows(...HEAD, "you   hello", "main  plain", "you");
  });

  test.each([
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", CTRL_D],
  ])("%s leaves, and takes the prompt along", async (_name, key) => {
    const { screen, left } = await sit([]);
    await screen.shows(...HEAD, "you");
    screen.types(key);
    await left;
    expect(screen.look()).toEqual(HEAD.slice(0, 2));
  });
});
