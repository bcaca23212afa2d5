import { expect, test } from "vitest";
import { parseLinkUrl } from "../../src/markdown/link-url.ts";

test.each([
  ["https", "https://a.example/b?c=d#e", "https://a.example/b?c=d#e"],
  ["no path", "http://a.example", "http://a.example/"],
  ["spaces and letters beyond ASCII", "http://ä.example/x y", "http://xn--4ca.example/x%20y"],
  ["a missing slash", "http:/a.example/b", "http://a.example/b"],
  ["backslashes", "http:\\\\a.example", "http://a.example/"],
  ["a port", "http://127.0.0.1:3000/", "http://127.0.0.1:3000/"],
  ["a person", "tg://user?id=1", "tg://user?id=1"],
])("%s: taken", (_name, destination, url) => {
  expect(parseLinkUrl(destination)).toBe(url);
});

test.each([
  ["nothing", ""],
  ["a path", "/Users/ada/notes.md"],
  ["a path that looks like a host", "src/main.ts"],
  ["a host without a dot", "http://localhost:3000"],
  ["a host that ends with a dot", "http://a.example./"],
  ["an address of the sixth version", "http://[::1]/"],
  ["a letter that no host has", "http://*.a.example/"],
  ["port zero", "http://a.example:0/"],
  ["credentials", "https://bank.example:x@evil.example/"],
  ["mail", "mailto:a@b.example"],
  ["script", "javascript:alert(1)"],
  ["a picture in the text", "data:image/png;base64,eA=="],
  ["tg without a host", "tg:resolve?domain=x"],
  ["tg with a name", "tg://a@b"],
  ["tg with a port", "tg://a:80"],
  ["more than 2048 characters", `https://a.example/${"x".repeat(2048)}`],
])("%s: not taken", (_name, destination) => {
  expect(parseLinkUrl(destination)).toBeUndefined();
});
