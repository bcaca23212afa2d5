import { type ChatRequest, createModelEmulator, findLastSaid } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { GROVE_KEY } from "../stage/model-grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\n two oaks", "latin1");

/** The pictures of a request, oldest first. */
function listPictures({ messages }: ChatRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.filter(({ type }) => type === "image_url").map((part) => JSON.stringify(Reflect.get(part, "image_url")))
      : [],
  );
}

async function openPictureGrove(images: boolean) {
  const script = (request: ChatRequest) => ({
    text: `${listPictures(request).length} seen: ${findLastSaid(request).slice(0, 4)}`,
  });
  const server = await createModelEmulator({ apiKey: GROVE_KEY, script });
  onTestFinished(() => server.close());
  const { telegram, env } = await openTelegram([7]);
  const providers = { grove: { baseUrl: server.url, apiKey: "env:GROVE_KEY", images } };
  const config = { providers, agents: { main: { model: "grove/small" } } };
  const grove = await openGrove({ env: { ...env, GROVE_KEY }, config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const downloads = async () => (await telegram.record({ method: "downloadFile", isAccepted: true })).length;
  return { grove, server, ada, downloads };
}

test("a person's photo is seen by the model, in that turn and in later ones, also after a restart, and is fetched once", async () => {
  const { grove, server, ada, downloads } = await openPictureGrove(true);
  await ada.sendsDocument({ name: "oaks.png", mimeType: "image/png", content: PNG }, "look at this");
  await ada.hears("1 seen: look");
  await ada.says("what was it?");
  await ada.hears("1 seen: what");
  await grove.restart();
  await ada.says("tell me again");
  await ada.hears("1 seen: tell");
  const pictures = server.asked.flatMap(({ request }) => listPictures(request));
  expect(new Set(pictures)).toEqual(
    new Set([JSON.stringify({ url: `data:image/png;base64,${PNG.toString("base64")}` })]),
  );
  expect(await downloads()).toBe(1);
});

test("a model that sees no pictures is told that there is one, and nothing is fetched", async () => {
  const { server, ada, downloads } = await openPictureGrove(false);
  await ada.sendsDocument({ name: "oaks.png", mimeType: "image/png", content: PNG }, "look at this");
  await ada.hears("0 seen: look");
  await ada.says("what was it?");
  await ada.hears("0 seen: what");
  for (const { request } of server.asked)
    expect(JSON.stringify(request.messages)).toMatch(/<data label=[^>]*attachments[^>]*>\\n[^<]*oaks\.png/);
  expect(await downloads()).toBe(0);
});

test.each([
  [["--images"], [`image image/png ${PNG.toString("base64")}`]],
  [[], []],
])("a foreign agent with %j is given %j of a photo, and its name in words", async (args, pictures) => {
  const agent = createAcpAgent(args);
  const { telegram, env } = await openTelegram([7]);
  await openGrove({ env, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.sendsDocument({ name: "oaks.png", mimeType: "image/png", content: PNG }, "say seen");
  await ada.hears("seen");
  const prompt = agent.journal().flatMap((line) => (Array.isArray(line.prompt) ? line.prompt.map(String) : []));
  expect(prompt.filter((text) => text.startsWith("image "))).toEqual(pictures);
  expect(prompt.join("\n")).toContain("oaks.png, image/png");
});
