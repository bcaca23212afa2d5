import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("an album is one message to the agent, and one answer", async () => {
  const { ada } = await openChat();
  await ada.sendsAlbum(
    [
      { kind: "document", name: "a.txt", content: "one two" },
      { kind: "document", name: "b.txt", content: "three" },
    ],
    "count words",
  );
  await ada.hears("a.txt has 2 words.\nb.txt has 1 word.", { once: true });
});

test("the agent sends a file of its workspace: the bytes, under its name, before its answer", async () => {
  const { grove, ada } = await openChat();
  writeFileSync(join(grove.folder, "oaks, old.txt"), "two öld oaks");
  await ada.says('send "oaks, old.txt"');
  const file = await ada.hearsFile();
  expect([file.kind, file.name, file.bytes.toString()]).toEqual(["document", "oaks_old.txt", "two öld oaks"]);
  await ada.hears("There you are: oaks, old.txt.");
  await ada.says("send nothing.txt");
  await ada.hears(/^I can't send nothing\.txt: (?!message failed)/);
  await ada.says("send ../outside.txt");
  await ada.hears(/leads outside the workspace/);
  await grove.rests();
});

test("T47: a photo goes as a photo, a large one as a document, and what no chat takes is said before anything is sent", async () => {
  const { telegram, grove, ada } = await openChat();
  writeFileSync(join(grove.folder, "small.png"), "pixels");
  writeFileSync(join(grove.folder, "large.png"), Buffer.alloc(10 * 1024 * 1024 + 1, 1));
  truncateSync(join(grove.folder, "small.png"), 6);
  await ada.says("send small.png");
  expect((await ada.hearsFile()).kind).toBe("photo");
  await ada.says("send large.png");
  const large = await ada.hearsFile();
  expect([large.kind, large.bytes.length]).toEqual(["document", 10 * 1024 * 1024 + 1]);
  writeFileSync(join(grove.folder, "huge.bin"), "x");
  truncateSync(join(grove.folder, "huge.bin"), 50 * 1024 * 1024 + 1);
  await ada.says("send huge.bin");
  await ada.hears(/has 52428801 bytes, and this chat takes 52428800/);
  expect(await telegram.record({ method: "sendDocument" })).toHaveLength(1);
});

test("what one person sends is kept from everybody else who talks with the same agent", async () => {
  const { telegram, env } = await openTelegram([7, 8]);
  const grove = await openGrove({ env });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  await ada.sendsDocument({ name: "secret.txt", content: "two words" }, "count words");
  await ada.hears("secret.txt has 2 words.");
  const [session = ""] = readdirSync(join(grove.folder, ".banyan", "received"));
  const [file = ""] = readdirSync(join(grove.folder, ".banyan", "received", session));
  for (const path of [".banyan", `.banyan/received/${session}`, `.banyan/received/${session}/${file}`]) {
    await bob.says(`send ${path}`);
    await bob.hears(/is kept from tools/);
    await bob.says(`count words in ${path}`);
    await bob.hears(/is kept from tools/);
  }
  await ada.says(`send .banyan/received/${session}/${file}`);
  expect((await ada.hearsFile()).bytes.toString()).toBe("two words");
});
