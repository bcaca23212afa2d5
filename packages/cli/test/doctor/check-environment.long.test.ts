import { expect, test } from "vitest";
import { checkEnvironment } from "../../src/doctor/check-environment.ts";
import { makeFolder, runBanyan } from "../bin/banyan-process.ts";

const VALUE = "CANARY_oXfn7VdAxF0Wq9lPzT3s";

test.each(["DATABASE_URL"])("%s is known and not used yet, which is a warning without its value", (name) => {
  const [finding, ...rest] = checkEnvironment({ manifests: [] }, { [name]: VALUE, PATH: "/bin" });
  expect(rest).toEqual([]);
  expect(finding).toMatchObject({ subject: "environment", level: "warning", text: expect.stringContaining(name) });
  expect(finding?.cure).toContain(`remove ${name}`);
  expect(JSON.stringify(finding)).not.toContain(VALUE);
  expect(checkEnvironment({ manifests: [] }, { [name]: "" })).toEqual([]);
});

test("a variable that a plugin reads is in use", () => {
  const variable = { key: "token", switchesOn: true, secret: true, list: false };
  const manifest = { package: "banyan-hooks", channel: "hooks", env: { DATABASE_URL: variable } };
  expect(checkEnvironment({ manifests: [manifest] }, { DATABASE_URL: VALUE })).toEqual([]);
});

test("banyan doctor tells it and still ends well", async () => {
  const { code, stdout } = await runBanyan(makeFolder(), ["doctor"], { env: { DATABASE_URL: VALUE } });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/! environment +DATABASE_URL [\s\S]*0 errors, 1 warning\./),
  ]);
  expect(stdout).not.toContain(VALUE);
});
