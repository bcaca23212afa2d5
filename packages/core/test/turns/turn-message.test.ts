import { expect, test } from "vitest";
import { CoreDesk } from "./core-desk.ts";

const PHOTO = { id: "f1", name: "photo.jpg", mimeType: "image/jpeg", sizeBytes: 34_000 };

test("a file without words is an input all the same, in the transcript as for the agent", async () => {
  const desk = await new CoreDesk().connect();
  await desk.receive([desk.message("", { attachments: [PHOTO, { id: "f2" }] })]);
  expect(desk.runtime.turns[0]?.input).toMatchObject([
    {
      kind: "message",
      text: "(sent without words: photo.jpg, a file)",
      sender: { id: "ada" },
      context: [{ label: "attachments", text: "photo.jpg, image/jpeg, 34 KiB [id 1.1]\na file [id 1.2]" }],
      attachments: [{ id: "1.1", file: PHOTO }, { id: "1.2" }],
    },
  ]);
  expect((await desk.lines())[0]).toBe("user: (sent without words: photo.jpg, a file)");
});

test("words beside a file stay as they are", async () => {
  const desk = await new CoreDesk().connect();
  await desk.receive([desk.message("what is this?", { attachments: [PHOTO] })]);
  expect(desk.runtime.turns[0]?.input).toMatchObject([{ text: "what is this?", context: [{ label: "attachments" }] }]);
});
