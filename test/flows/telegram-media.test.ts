import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** Ada alone with a bot whose agent is the built-in one. */
async function openChat(config: Readonly<Record<string, unknown>> = {}) {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return { telegram, grove, ada };
}

test("a person sends a text file and has its words counted, with the same message or with a later one", async () => {
  const { telegram, grove, ada } = await openChat();
  await ada.sendsDocument({ name: "oaks.txt", mimeType: "text/plain", content: "two öld oaks" }, "count words");
  await ada.hears("oaks.txt has 3 words.");
  await ada.sendsDocument({ name: "elms.txt", content: "one elm" });
  await ada.hears("I got elms.txt. Say count words in it, and I count the words.");
  await grove.restart();
  await ada.says("count words in it");
  await ada.hears("elms.txt has 2 words.");
  await ada.sendsPhoto({}, "count words");
  await ada.hears("photo.jpg is no text.");
  expect(await telegram.record({ method: "downloadFile", isAccepted: true })).toHaveLength(3);
  expect(grove.log.join("\n")).not.toContain("/file/bot");
});
