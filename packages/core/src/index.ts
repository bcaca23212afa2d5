/** Banyan's core: what an embedding program uses. */

export type { LifecycleHooks } from "@banyan/plugin-sdk";
export type { PriceSource } from "./budgets/price-book.ts";
export type {
  AccountConfig,
  AgentConfig,
  AgentToAgentConfig,
  Config,
  LimitsConfig,
  ProviderConfig,
  SubagentsConfig,
  ThreadsConfig,
} from "./config/config.ts";
export { describeConfig } from "./config/describe-config.ts";
export { type LoadConfigOptions, loadConfig } from "./config/load-config.ts";
export { formatReceived } from "./config/problems/config-problem.ts";
export { findNearestWord } from "./config/problems/nearest-word.ts";
export { type LoadedConfig, parseConfig } from "./config/read-config.ts";
export { parseAccountConfig } from "./config/shapes/account-config.ts";
export { buildAccount } from "./config/shapes/channel-config.ts";
export { type ChannelManifest, listSwitches } from "./config/shapes/channel-manifest.ts";
export { configJsonSchema } from "./config/shapes/config-json-schema.ts";
export { type BanyanConfigInput, defineConfig } from "./config/shapes/define-config.ts";
export { type DeliverySetting, findDeliveryProblem } from "./config/shapes/delivery-setting.ts";
export { refuseSharedDm } from "./config/shapes/dm-scope-check.ts";
export { listPublicAgents } from "./config/shapes/public-agents.ts";
export { listQueueModels } from "./config/shapes/queue-config.ts";
export { listSharedReaders, refuseFormerWriters, type SharedReaders } from "./config/shapes/shared-readers.ts";
export { CONFIG_FILE_NAMES, readConfigFile } from "./config/sources/config-file.ts";
export type { ProviderVariables } from "./config/sources/provider-environment.ts";
export { ENVIRONMENT_FILE, listSecretFiles } from "./config/sources/secret-file.ts";
export { callControl } from "./control/control-client.ts";
export type { ControlOperations } from "./control/control-socket.ts";
export type { DeletedSession } from "./control/delete-session.ts";
export {
  type AddedLink,
  createLinkOperations,
  type LinkOperationParts,
  type LinkOperations,
  type RemovedLink,
} from "./control/operate-links.ts";
export type { PairingOperations, SettledPairing } from "./control/operate-pairing.ts";
export type { KilledRun, RunOperations } from "./control/operate-runs.ts";
export {
  createSessionOperations,
  type RekeyedSession,
  type RekeyOptions,
  type SessionOperationParts,
  type SessionOperations,
} from "./control/operate-sessions.ts";
export { type ForeignReader, findForeignReader, type ReaderRules } from "./control/session-reader.ts";
export { Gateway } from "./gateway.ts";
export {
  callGatewayLinkAdd,
  callGatewayLinkRemove,
  callGatewayRekey,
  callGatewayRunKill,
  callGatewaySessionDelete,
} from "./gateway-calls.ts";
export {
  callGatewayInfo,
  callGatewayPairing,
  callGatewayStatus,
  type GatewayInfo,
  type GatewayStatus,
} from "./gateway-control.ts";
export { listHostCommands } from "./gateway-inbound.ts";
export type { GatewayAccount, GatewayChannel, GatewayLoad, GatewayOptions } from "./gateway-options.ts";
export { createStoredPairingOperations } from "./gateway-pairing.ts";
export { createTransport, type Transport } from "./http/transport.ts";
export { type AccessPolicy, describeGroups, needsAllMessages } from "./inbound/access.ts";
export {
  type BookedLink,
  buildLinkBook,
  formatPeerAccount,
  type LinkBook,
  type PeerAccount,
} from "./inbound/links.ts";
export {
  findOrphanedSession,
  type OrphanedSession,
  type ReachRules,
  type WrittenSession,
} from "./inbound/orphaned-session.ts";
export { formatOneTimeCode } from "./inbound/pairing.ts";
export { findChatSession, type RouteTable } from "./inbound/route.ts";
export { buildRouteView as buildRoutePicture, type RouteView as RoutePicture } from "./inbound/route-state.ts";
export { createOutboxOperations, type OutboxOperations } from "./outbound/operate-outbox.ts";
export { loadAnyPlugin, loadPlugin } from "./plugins/load-plugin.ts";
export { parseToolPluginConfig } from "./plugins/parse-tool-plugin.ts";
export { formatPluginPackage, isPluginFile, readPluginManifests } from "./plugins/plugin-manifest.ts";
export { cutToWidth, measureWidth } from "./ports/display-width.ts";
export { BanyanError, type ErrorCode } from "./ports/errors.ts";
export { type LogFile, listLogFiles, openLogFile, resolveLogFile } from "./ports/log-file.ts";
export { createLog, formatLogLine, type LogOptions } from "./ports/pino-log.ts";
export { formatPlainLine, formatPlainText } from "./ports/plain-text.ts";
export { createPorts, type Ports } from "./ports/ports.ts";
export { createSecretScrubber, type SecretScrubber } from "./ports/secret-scrubber.ts";
export { drawRunTree } from "./runs/draw-run-tree.ts";
export { explainNoRun, type FoundRun, findRun } from "./runs/find-run.ts";
export { type RunTree, type RunTreeQuery, readRunTree } from "./runs/read-run-tree.ts";
export { type ArchiveTimeInput, resolveArchiveAtMs } from "./runs/resolve-archive-time.ts";
export {
  type FindLiveNote,
  measureRunMs,
  parseRunOutline,
  parseRunRow,
  RUN_STATUS_WORDS,
  type RunRecord,
  type RunStatus,
} from "./runs/run-record.ts";
export { findRunNode, hasUnfinished, listTreeRuns, type RunNode, trimRunTree } from "./runs/run-tree.ts";
export { checkLinkedWriters } from "./sessions/check-linked-writers.ts";
export { normalizeAccountId } from "./sessions/keys/account-id.ts";
export { buildAgentFolderName } from "./sessions/keys/agent-folder-name.ts";
export { normalizeAgentId } from "./sessions/keys/agent-id.ts";
export { parseAgentSessionKey, resolveAgentIdFromSessionKey } from "./sessions/keys/agent-session-key.ts";
export { canonicalizeSessionKey } from "./sessions/keys/canonical-session-key.ts";
export { listDmScopes } from "./sessions/keys/dm-scope.ts";
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
export { buildSubagentSessionKey } from "./sessions/keys/subagent-session-key.ts";
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
export { getSubagentDepthFromSessionStore, type ReadTreeEntry } from "./sessions/tree/stored-depth.ts";
export {
  resolveSubagentControlScope,
  resolveSubagentRole,
  type SubagentControlScope,
  type SubagentRole,
} from "./sessions/tree/subagent-role.ts";
export { resolveSpawnCleanup, type SpawnCleanup, type SpawnCleanupInput } from "./subagents/spawn/resolve-cleanup.ts";
export { resolveSpawnMode, type SpawnModeInput } from "./subagents/spawn/resolve-spawn-mode.ts";
export { buildSubagentSystemPrompt, type SubagentPromptInput } from "./subagents/spawn/subagent-prompt.ts";
export { type ArchiveDecision, type DueArchive, decideArchive } from "./subagents/timers/decide-archive.ts";
export type { ToolCounts } from "./tools/checks/call-record.ts";
export { parseToolAudit, type ToolAudit } from "./tools/checks/call-record.ts";
export { findExposedPath, formatExposure } from "./tools/files/workspace-path.ts";
export { checkToolNames } from "./tools/policy.ts";
export type { LoadedToolPlugin } from "./tools/registry.ts";
export {
  type BacklogItem,
  type BacklogState,
  type CutState,
  decideWorkState,
  type QueueState,
  type TurnState,
  type WorkState,
} from "./turns/states/queue-state.ts";
export { readQueueState } from "./turns/states/read-queue-state.ts";
