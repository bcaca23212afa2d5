/** Banyan's core: what an embedding program uses. */
export type { LifecycleHooks } from "@banyan/plugin-sdk";
export type { AccessPolicy } from "./access/decide-access.ts";
export type { AccountConfig, AgentConfig, Config } from "./config/config.ts";
export { describeConfig } from "./config/describe-config.ts";
export { type LoadConfigOptions, loadConfig } from "./config/load-config.ts";
export { findNearestWord } from "./config/problems/nearest-word.ts";
export { type LoadedConfig, parseConfig } from "./config/read-config.ts";
export { parseAccountConfig } from "./config/shapes/account-config.ts";
export { buildAccount } from "./config/shapes/channel-config.ts";
export { configJsonSchema } from "./config/shapes/config-json-schema.ts";
export { type BanyanConfigInput, defineConfig } from "./config/shapes/define-config.ts";
export { refuseSharedDm } from "./config/shapes/dm-scope-check.ts";
export { callControl } from "./control/control-client.ts";
export { Gateway } from "./gateway.ts";
export { callGatewayInfo, callGatewayStatus, type GatewayInfo, type GatewayStatus } from "./gateway-control.ts";
export type { GatewayAccount, GatewayChannel, GatewayLoad, GatewayOptions } from "./gateway-options.ts";
export { createOutboxOperations, type OutboxOperations } from "./outbound/operate-outbox.ts";
export { loadPlugin } from "./plugins/load-plugin.ts";
export { readPluginManifests } from "./plugins/plugin-manifest.ts";
export { BanyanError, type ErrorCode } from "./ports/errors.ts";
export { createLog, type LogOptions } from "./ports/pino-log.ts";
export { createPorts, type Ports } from "./ports/ports.ts";
export { createSecretScrubber, type SecretScrubber } from "./ports/secret-scrubber.ts";
export { checkLinkedWriters } from "./sessions/check-linked-writers.ts";
export { normalizeAccountId } from "./sessions/keys/account-id.ts";
export { buildAgentFolderName } from "./sessions/keys/agent-folder-name.ts";
export { normalizeAgentId } from "./sessions/keys/agent-id.ts";
export { parseAgentSessionKey, resolveAgentIdFromSessionKey } from "./sessions/keys/agent-session-key.ts";
export { canonicalizeSessionKey } from "./sessions/keys/canonical-session-key.ts";
export { type IdentityLinks, parseIdentityLinks } from "./sessions/keys/identity-links.ts";
export { decodeSegment } from "./sessions/keys/key-segment.ts";
export { buildSessionFileName } from "./sessions/keys/session-file-name.ts";
export {
  buildAgentMainSessionKey,
  buildAgentPeerSessionKey,
  resolveAgentMainSessionKey,
  resolveMainSessionKey,
  resolveThreadSessionKey,
} from "./sessions/keys/session-key.ts";
export { classifySessionKey, getSubagentDepth } from "./sessions/keys/session-key-kind.ts";
export { parseSessionKeyParts } from "./sessions/keys/session-key-parts.ts";
export {
  type LoadedSessions,
  type LoadSessionStoreOptions,
  loadSessionStore,
  type SessionStoreCache,
} from "./sessions/load-session-store.ts";
export { mergeSessionEntry, mergeSessionEntryWithPolicy, type SessionPatch } from "./sessions/merge-session-entry.ts";
export { type AppendedMessage, SessionManager, type SessionManagerParts } from "./sessions/session-manager.ts";
export type { SessionQuery, Sessions } from "./sessions/sessions.ts";
export { resolveSessionTranscriptFile, type TranscriptQuery } from "./sessions/transcript-file.ts";
