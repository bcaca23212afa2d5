import { expect, it } from "vitest";
import { getAttachmentRules } from "../../../src/config/shapes/attachments-config.ts";
import { problemsOf, readWritten } from "../written-config.ts";

it("has a limit for one file and for one turn", () => {
  const { tools } = readWritten({ tools: { attachments: { limitBytes: 5 } } }).config;
  expect(tools.attachments).toEqual({ limitBytes: 5, turnLimitBytes: 50 * 1024 * 1024 });
  expect(getAttachmentRules(undefined)).toEqual({ limitBytes: 20 * 1024 * 1024, turnLimitBytes: 50 * 1024 * 1024 });
});

it.each([0, -1, 1.5, "20 MB"])("takes no %j", (limitBytes) => {
  expect(problemsOf({ tools: { attachments: { limitBytes } } })[0]).toContain("tools.attachments.limitBytes");
});
