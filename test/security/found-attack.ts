import { globSync, readFileSync } from "node:fs";

/** A test, or a group of them, that tries an attack. */
export interface FoundAttack {
  readonly attack: number;
  readonly file: string;
  readonly title: string;
}

const ROOT = new URL("../../", import.meta.url).pathname;
/** The title of a test or a group of them, also of a table's. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.concurrent)?|\))\(\s*"(attack (\d+): (?:[^"\\]|\\.)+)",/g;

/** What the files say that there are. */
export function findAttacks(): readonly FoundAttack[] {
  const files = globSync("{test,packages/*/test,plugins/*/test}/**/*.test.ts", {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "test/security/attack-index.test.ts"],
  });
  return files.flatMap((file) =>
    [...readFileSync(ROOT + file, "utf8").matchAll(TITLE)].map(([, title = "", attack = ""]) => ({
      attack: Number(attack),
      file,
      title,
    })),
  );
}
