import { parseConfig } from "@banyan/core";
import { expect, test } from "vitest";
import { checkServer } from "../../src/doctor/check-server.ts";

const TOKEN = "a-token-of-the-operator-of-this-test";
const GATEWAY = { url: "http://example", token: TOKEN, pid: 1, version: "0" };

test.each([
  ["127.0.0.1", undefined, []],
  ["::1", undefined, []],
  ["localhost", undefined, []],
  ["0.0.0.0", TOKEN, []],
  ["0.0.0.0", undefined, ["warning"]],
  ["192.0.2.7", undefined, ["warning"]],
])("who can reach %s with the token %s is told", async (host, token, levels) => {
  const config = parseConfig({ server: { host, port: 0, token } }, { folder: "/srv/bot" });
  for (const gateway of [undefined, GATEWAY]) {
    const [head, ...reach] = await checkServer(config, gateway);
    expect(head).toMatchObject({ subject: "port", level: "ok" });
    expect(reach.map(({ level }) => level)).toEqual(levels);
    for (const { text, cure } of reach) {
      expect([text, cure]).toEqual([
        expect.stringContaining("from other machines"),
        expect.stringContaining("127.0.0.1"),
      ]);
    }
  }
});
