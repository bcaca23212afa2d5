import { expect, it } from "vitest";
import { findImageType } from "../../src/runtime/turns/image-type.ts";

it.each([
  ["\u0089PNG\r\n\u001a\n", "image/png"],
  ["\u00ff\u00d8\u00ff\u00e0", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["RIFF\u0000\u0000\u0000\u0000WEBPVP8 ", "image/webp"],
  ["RIFF\u0000\u0000\u0000\u0000WAVEfmt ", undefined],
  ["<svg/>", undefined],
  ["%PDF-1.7", undefined],
  ["", undefined],
])("%j is %s", (bytes, type) => expect(findImageType(Buffer.from(bytes, "latin1"))).toBe(type));
