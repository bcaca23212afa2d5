import { globSync, readFileSync } from "node:fs";

export interface AttackTitle {
  readonly attack: number;
  /** From the root of the repository. */
  readonly file: string;
  /** Of a test or a group of them; a table's holds its placeholders. */
  readonly title: string;
}

/** The title of a test or a group of them, also of a table's. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.concurrent)?|\))\(\s*"(attack (\d+): (?:[^"\\]|\\.)+)",/g;

/** What the files say that there are. */
export function listAttackTitles(root: string): readonly AttackTitle[] {
  const files = globSync("{test,packages/*/test,plugins/*/test}/**/*.test.ts", {
    cwd: root,
    exclude: ["**/node_modules/**", "test/security/attack-index.test.ts"],
  });
  return files.flatMap((file) =>
    [...readFileSync(root + file, "utf8").matchAll(TITLE)].map(([, title = "", attack = ""]) => ({
      attack: Number(attack),
      file,
      title,
    })),
  );
}
