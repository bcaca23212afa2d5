/** Agents of the Agent Client Protocol as a runtime: each is a process of its own that the runtime starts, talks to and ends. */
export { type AcpRuntimeOptions, createAcpRuntime } from "./acp-runtime.ts";
