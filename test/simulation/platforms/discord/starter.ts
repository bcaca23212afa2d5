/** As the plugin writes it. */
const STARTER = /^🌱 \*\*.*\(`([0-9a-f]{8})`\)$/s;

/** By what the spawn is known of which this is the starter message; `undefined` for any other. */
export function readStarterMark(content: string): string | undefined {
  return STARTER.exec(content)?.[1];
}
