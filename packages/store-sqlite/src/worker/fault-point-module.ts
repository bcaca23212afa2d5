import type { FaultPoint } from "@banyan/plugin-sdk";

/** Loads the fault point that a test names. `undefined`: there is none. */
export async function loadFaultPoint(moduleUrl: string | undefined): Promise<FaultPoint | undefined> {
  if (moduleUrl === undefined) return undefined;
  const loaded: { default?: unknown } = await import(moduleUrl);
  const faultPoint = loaded.default;
  if (typeof faultPoint !== "function") {
    throw new TypeError(`loading a fault point: ${moduleUrl} exports no function as default`);
  }
  return (name) => {
    faultPoint(name);
  };
}
