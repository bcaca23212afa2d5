import { expect, it } from "vitest";
import { createToolPlaces } from "../../src/turns/tool-places.ts";
import { quiet } from "../manual-clock.ts";

it("lets so many calls work at once, the next one in order, also where one fails", async () => {
  const places = createToolPlaces(2);
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const begin = (name: string) =>
    places.take(() => {
      begun.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      return gate.promise;
    });
  const [one, , three] = ["one", "two", "three", "four"].map(begin);
  await quiet();
  expect(begun).toEqual(["one", "two"]);
  gates.get("one")?.reject(new Error("broken"));
  await expect(one).rejects.toThrow("broken");
  await quiet();
  expect(begun).toEqual(["one", "two", "three"]);
  gates.get("three")?.resolve();
  await three;
  await quiet();
  expect(begun).toEqual(["one", "two", "three", "four"]);
});
