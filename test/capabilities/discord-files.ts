import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Capability } from "./capability-table.ts";
import { count, openStand, POST_MESSAGE } from "./discord-stand.ts";

/** Files of the agent's workspace. */
export const FILE_CAPABILITIES: readonly Capability[] = [
  {
    ability: "files of the agent’s workspace",
    deed: "the agent sent a file with a line; Discord’s answer to the upload was lost",
    async check() {
      const { discord, inDm, grove } = await openStand({
        script: (turn) => async () => {
          await turn.callTool("message", { text: "the oaks", files: ["oaks.txt"] });
          await turn.say("sent");
          return undefined;
        },
      });
      writeFileSync(join(grove.folder, "oaks.txt"), "two old oaks");
      await discord.faults.add({ kind: "drop-answer", route: POST_MESSAGE });
      await inDm.says("the oaks, please");
      await inDm.hears("the oaks", { once: true });
      await inDm.hears("sent", { once: true });
      await grove.rests();
      const calls = (await discord.record({ route: POST_MESSAGE })).filter(({ files }) => files.length > 0);
      const standing = (await inDm.messages()).filter(({ text }) => text === "the oaks");
      expect([new Set(calls.flatMap(({ files }) => files)), standing.length]).toEqual([new Set(["oaks.txt"]), 1]);
      return `${count(calls.length, "upload")} of \`oaks.txt\` with one nonce, ${count(standing.length, "message")}`;
    },
  },
];
