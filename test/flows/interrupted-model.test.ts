import { readText } from "@banyan/emulator-model";
import { expect, test } from "vitest";
import { openModelGrove } from "../stage/model-grove.ts";

test("a model is told as data what was cut off, and another one where that is set; what was set back it never reads again", async () => {
  const { server, grove } = await openModelGrove((request) => {
    const said = request.messages.map(readText).join(" | ");
    return { text: said.includes("wait") ? `${request.model} read: ${said}` : ["Once ", "upon ", "a time."] };
  });
  const ada = grove.web("ada");
  await ada.says("/queue interrupt checkpoint");
  await ada.hears(/continues from the last finished turn/);
  await ada.says("/queue interrupt model grove/large");
  await ada.hears(/with the model `grove\/large`/);
  const gate = server.hold({ afterChunks: 3 });
  await ada.says("tell me a story");
  await gate.reached();
  await ada.says("wait");
  expect(await grove.until("the model to be left", () => server.asked[0]?.end)).toBe("left");
  await gate.release();
  const first = await ada.hears(/^large read: /);
  expect(first.text).toMatch(
    /\| tell me a story\n\n\(A newer message.*\)\n\nwait\n\n<data label="what was cut off">.*<\/data>/s,
  );
  expect(first.text).not.toContain("Once upon");
  await ada.says("wait, what was that?");
  const second = await ada.hears(/^small read: /);
  expect(second.text).not.toMatch(/Once upon/);
  expect(second.text).toMatch(/\| wait, what was that\?$/);
  await grove.rests();
});
