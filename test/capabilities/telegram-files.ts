import { expect } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import type { Capability } from "./capability-table.ts";

/** Files, both ways, with the built-in agent. */
export const FILE_CAPABILITIES: readonly Capability[] = [
  {
    ability: "files that people send",
    deed: "Ada sent a text file with “count words”, and asked again later",
    async check() {
      const { telegram, ada, grove } = await openChat();
      await ada.sendsDocument({ name: "oaks.txt", content: "two old oaks" }, "count words");
      await ada.hears("oaks.txt has 3 words.", { once: true });
      await ada.says("count words in it");
      await ada.hears("oaks.txt has 3 words.");
      await grove.rests();
      const downloads = await telegram.record({ method: "downloadFile", isAccepted: true });
      return `2 answers, the file was fetched ${downloads.length} ×`;
    },
  },
  {
    ability: "albums",
    deed: "Ada sent two files as an album, with one caption",
    async check() {
      const { ada, grove } = await openChat();
      const [one, two] = [
        { kind: "document", name: "a.txt", content: "one two" },
        { kind: "document", name: "b.txt", content: "three" },
      ] as const;
      await ada.sendsAlbum([one, two], "count words");
      await ada.hears("a.txt has 2 words.\nb.txt has 1 word.", { once: true });
      await grove.rests();
      const answers = (await ada.messages()).length;
      expect(answers).toBe(1);
      return `${answers} answer to both`;
    },
  },
  {
    ability: "files of the agent’s workspace",
    deed: "Ada asked for a text and for a picture",
    async check() {
      const { telegram, ada, grove } = await openChat({ "oaks.txt": "two old oaks", "oak.png": "pixels" });
      for (const name of ["oaks.txt", "oak.png"]) {
        await ada.says(`send ${name}`);
        expect((await ada.hearsFile()).bytes.length).toBeGreaterThan(0);
      }
      await grove.rests();
      const counts = await telegram.counts();
      return `\`sendDocument\` × ${counts.sendDocument?.accepted}, \`sendPhoto\` × ${counts.sendPhoto?.accepted}`;
    },
  },
];

async function openChat(files: Readonly<Record<string, string>> = {}) {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, files });
  return { telegram, grove, ada: await telegram.user({ id: 7, firstName: "Ada" }) };
}
