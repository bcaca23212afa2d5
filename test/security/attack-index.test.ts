import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Where each attack is tried. Rows whose feature is not there yet (pairing, webhooks, Discord, attachments, sub-agents,
 * buttons, threads) come with it.
 */
const INDEX: readonly (readonly [attack: number, what: string, file: string, proof: RegExp])[] = [
  [4, "a forged command or run id in a text", "packages/core/test/inbound/decide-inbound.test.ts", /command/],
  [
    5,
    "a plugin that speaks for another account",
    "packages/core/test/inbound/inbound.test.ts",
    /names another account/,
  ],
  [7, "two senders under one scope", "packages/core/test/config/shapes/dm-scope-check.test.ts", /main/],
  [8, "a claimed identity, a spoofed name", "test/flows/identity-links.test.ts", /link/],
  [9, "an unknown sender", "packages/core/test/access/decide-access.test.ts", /allowlist/],
  [12, "bodies too large, too deep, poisoned", "test/flows/bad-input.test.ts", /__proto__/],
  [12, "bombs at socket, platform and configuration", "test/security/json-bomb.test.ts", /attack 12/],
  [13, "ids that climb, links", "test/security/state-directory.test.ts", /attack 13/],
  [13, "ids as keys and file names", "test/flows/bad-input.test.ts", /separators, paths and quotes/],
  [
    13,
    "tools that climb out of the workspace",
    "packages/core/test/tools/files/workspace-attack.test.ts",
    /symlink|link/,
  ],
  [17, "markup from an agent", "plugins/telegram/test/markdown/render-any-markdown.test.ts", /html|entit|escape/i],
  [17, "markup that the platform refuses", "test/flows/deliveries.test.ts", /markup/],
  [18, "secrets in logs, entries, files, answers", "test/security/secrets.test.ts", /attack 18/],
  [18, "secrets in what a dying process prints", "test/security/crash-print.test.ts", /attack 18/],
  [18, "rights of the files", "test/security/state-directory.test.ts", /umask 000/],
  [21, "a bot among the senders", "packages/core/test/access/decide-access.test.ts", /isBot/],
  [22, "one sender floods", "test/security/flood.test.ts", /attack 22/],
  [24, "lone surrogates, NUL, zero width", "test/flows/bad-input.test.ts", /surrogates/],
  [25, "SQL through ids and texts", "test/flows/bad-input.test.ts", /OR 1=1/],
  [26, "a plugin that throws or hangs", "test/flows/strangers-plugin.test.ts", /hangs/],
  [30, "a second process", "test/crash/crash.test.ts", /attack 30/],
  [31, "the server from elsewhere", "packages/core/test/http/guard.test.ts", /[Oo]rigin/],
  [31, "no token, a wrong one, another site", "test/flows/bad-input.test.ts", /comes from another site/],
  [32, "a full disk", "test/crash/crash.test.ts", /full disk/],
  [32, "a clock that jumps", "test/flows/clock-jumps.test.ts", /attack 32/],
];

test.each(INDEX)("attack %i, %s, is tried in %s", (_attack, _what, file, proof) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")).toMatch(proof);
});
