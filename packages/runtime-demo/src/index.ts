/** Runtimes that need no model and no network, and the piece they are made of. */
export { createDemoRuntime } from "./demo/demo-runtime.ts";
export { createEchoRuntime } from "./echo/echo-runtime.ts";
export { createGate, type Gate } from "./scripted/gate.ts";
export * from "./scripted/script.ts";
export { type RecordedAttempt, ScriptRecord } from "./scripted/script-record.ts";
export {
  createScriptedRuntime,
  type ScriptedRuntime,
  type ScriptedRuntimeOptions,
} from "./scripted/scripted-runtime.ts";
