import { BanyanError } from "@banyan/core";
import { expect, test } from "vitest";
import { scrubError } from "../src/scrub-error.ts";

const scrub = (text: string) => text.replaceAll("s3cret", "[secret]");

test("an error without a secret is the same one, cause and all", () => {
  const error = new BanyanError("port_taken", "The port was opened: it is taken", { cause: new Error("EADDRINUSE") });
  expect(scrubError(error, scrub)).toBe(error);
});

test("an error with a secret says the same without it: message and stack, name and code, and no cause", () => {
  const error = new BanyanError("plugin_unavailable", "Loading failed with s3cret", { cause: new Error("s3cret") });
  const clean = scrubError(error, scrub);
  expect(clean).toBeInstanceOf(BanyanError);
  expect(clean).toMatchObject({ code: "plugin_unavailable", message: "Loading failed with [secret]" });
  expect(Reflect.get(Object(clean), "cause")).toBeUndefined();
  expect(clean instanceof Error && clean.stack).not.toContain("s3cret");
});

test("what is thrown and is no error is scrubbed where it is a text", () => {
  expect([scrubError("no s3cret", scrub), scrubError(5, scrub)]).toEqual(["no [secret]", 5]);
});

test("an error whose cause holds a secret goes on without it", () => {
  const error = new BanyanError("plugin_unavailable", "Loading failed", {
    cause: new Error("because", { cause: new Error("of s3cret") }),
  });
  const clean = scrubError(error, scrub);
  expect(clean).toMatchObject({ code: "plugin_unavailable", message: "Loading failed" });
  expect(Reflect.get(Object(clean), "cause")).toBeUndefined();
});
