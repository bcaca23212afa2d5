import { expect, test } from "vitest";
import { makeFolder, runBanyan, spawnBanyan } from "./banyan-process.ts";

/** Only ends processes that hang. */
const LIMIT_MS = 240_000;

test(
  "several one-shot chats at once, without a gateway: each ends by itself with its own answer",
  async () => {
    const folder = makeFolder();
    const numbers = [2, 3, 4, 5, 6];
    const ended = await Promise.all(
      numbers.map((n) =>
        n % 2 === 0
          ? runBanyan(folder, ["chat", `calc ${n}*7`])
          : runBanyan(folder, ["chat"], { input: `calc ${n}*7\ncalc ${n}*11\n` }),
      ),
    );
    expect(ended.map(({ stdout }) => stdout)).toEqual(
      numbers.map((n) => (n % 2 === 0 ? `${n}*7 = ${n * 7}\n` : `${n}*7 = ${n * 7}\n${n}*11 = ${n * 11}\n`)),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(numbers.map(() => ({ code: 0, stderr: "" })));
  },
  LIMIT_MS,
);

test(
  "the chat that opened the gateway was killed: the next one opens it again and stops what was left running",
  async () => {
    const folder = makeFolder();
    const first = spawnBanyan(folder, ["chat"], { input: "calc 1+1\nslow 600\n" });
    await first.prints(/1\+1 = 2/);
    first.kill("SIGKILL");
    await first.ended;
    const second = await runBanyan(folder, ["chat", "/stop"]);
    expect(second).toMatchObject({ code: 0, stderr: "" });
  },
  LIMIT_MS,
);
