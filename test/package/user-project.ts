import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../house/repository.ts";

const CONFIG = `import { defineConfig } from "banyan";
export default defineConfig({
  plugins: ["./wire.ts", "./dice.ts"],
  channels: { wire: { accounts: { default: { url: "http://127.0.0.1:9" } } } },
});
`;
/** The document leaves this to the reader. */
const LISTEN = `function listen(_url: string, _onLine: (line: Record<"id" | "from" | "text", string>) => void): () => void {
  return () => undefined;
}
`;

/** A user's project: a configuration, and a channel and a tool as the documents show them. */
export const USER_FILES: readonly string[] = ["banyan.config.ts", "wire.ts", "dice.ts"];

export function writeUserProject(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "banyan.config.ts"), CONFIG);
  writeFileSync(join(folder, "wire.ts"), `${readExample("docs/write-a-channel.md")}\n${LISTEN}`);
  writeFileSync(join(folder, "dice.ts"), readExample("docs/tools.md"));
}

/** The first TypeScript of a document. */
export function readExample(document: string): string {
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(REPOSITORY, document), "utf8")) ?? [];
  if (code === undefined) throw new Error(`reading the example of ${document}: there is none; give it a block of ts`);
  return code;
}
