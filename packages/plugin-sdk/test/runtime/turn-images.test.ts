import { expect, test } from "vitest";
import { formatAddress } from "../../src/index.ts";
import { TurnDesk } from "../../src/runtime/suite/turn-desk.ts";
import { readImages } from "../../src/runtime/turns/index.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\n oaks", "latin1");
const address = formatAddress({ channel: "grove", account: "default", kind: "dm", chat: "1" });
const attach = (id: string) => ({ id, address, file: { id: `f${id}`, name: "oak.png" } });

test("the pictures of a turn are waited for at once, each asked for once", async () => {
  const asked: string[] = [];
  const both = Promise.withResolvers<Uint8Array>();
  const images = await readImages({
    input: {
      ...new TurnDesk().turn("look"),
      input: [{ kind: "message", text: "look", attachments: ["1.1", "1.2", "1.1"].map(attach) }],
      async readAttachment({ id }) {
        asked.push(id);
        if (asked.length === 2) both.resolve(PNG);
        return both.promise;
      },
    },
    waitFor: (work) => work,
  });
  expect(asked).toEqual(["1.1", "1.2"]);
  expect(images.get("1.2")).toEqual({ mediaType: "image/png", bytes: PNG });
});
