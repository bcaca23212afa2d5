import { type Address, type AgentRuntime, parseAddress, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { Command } from "./commands/command.ts";
import { getRunLimits } from "./config/shapes/limits-config.ts";
import { getSessionToolRules } from "./config/shapes/session-tools-config.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { buildQuestions } from "./gateway-questions.ts";
import { getQueueRules } from "./gateway-queue-rules.ts";
import { resolveThreadRules } from "./gateway-thread-rules.ts";
import { createQueueCommand } from "./inbound/commands/queue.ts";
import type { RouteState } from "./inbound/route-state.ts";
import type { LaneScheduler } from "./lanes/lane-scheduler.ts";
import type { QuestionDesk } from "./questions/question-desk.ts";
import type { RunParts } from "./runs/run-parts.ts";
import type { FindLiveNote } from "./runs/run-record.ts";
import { createSubagentCommands } from "./subagents/commands/subagent-commands.ts";
import { StatusBoard } from "./subagents/status/status-board.ts";
import type { SubagentParts } from "./subagents/subagent-parts.ts";
import { fireTimer } from "./subagents/timers/fire-timer.ts";
import { createSessionTools } from "./subagents/tools/create-session-tools.ts";
import { TimerRunner } from "./timers/timer-runner.ts";
import type { Tool } from "./tools/tool.ts";
import { createModelList } from "./turns/model-list.ts";
import type { Turns } from "./turns/turns.ts";

export interface GatewaySubagentParts extends Omit<RunParts, "wakeLanes" | "wakeTimers"> {
  readonly options: GatewayOptions;
  readonly getLanes: () => Pick<LaneScheduler, "wake" | "rest" | "isWaiting">;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
  findThreads(address: Address): ThreadsAbility | "none" | undefined;
  whenTried(address: Address): Promise<void>;
  readonly findLiveNote: FindLiveNote;
  readonly listHeard: Turns["listHeard"];
  readonly routeState: RouteState;
}

/** Sub-agents of a gateway: how they are spawned, directed and ended. */
export interface GatewaySubagents {
  readonly parts: SubagentParts;
  readonly tools: readonly Tool[];
  readonly commands: readonly Command[];
  readonly questions: QuestionDesk;
  /** Of a conversation itself: answers to what it asks, and its queue. */
  readonly own: readonly Command[];
  readonly timers: TimerRunner;
  readonly statuses: StatusBoard;
}

/** What lanes and turns are asked for is looked up when it is needed: they are made after this. */
export function buildSubagents({
  options,
  getLanes,
  findThreads,
  listHeard,
  ...base
}: GatewaySubagentParts): GatewaySubagents {
  const { agents, ports } = options;
  const wakeTimers = (dueInMs?: number) => timers.wake(dueInMs);
  const { desk: questions, command: answer } = buildQuestions({ ...base, options, wakeTimers });
  const parts: SubagentParts = {
    ...base,
    agents,
    limits: getRunLimits(options.limits),
    getThreadRules: (address) => resolveThreadRules(options, parseAddress(address)),
    canEdit: ({ channel }) => options.channels.some(({ plugin }) => plugin.id === channel && plugin.capabilities.edits),
    sessionTools: getSessionToolRules(options.sessionTools),
    threadHost: { clock: ports.clock, log: ports.log, findThreads },
    wakeLanes: (lanes) => {
      for (const lane of lanes) getLanes().wake(lane);
    },
    refreshRoutes: () => base.routeState.refresh(),
    wakeTimers,
    questions,
    wakeStatuses: () => statuses.wake(),
    rest: (lane, work) => getLanes().rest(lane, work),
  };
  const timers: TimerRunner = new TimerRunner({ store: base.store, ports, fire: (timer) => fireTimer(timer, parts) });
  const statuses: StatusBoard = new StatusBoard(parts);
  const tools = createSessionTools(parts);
  const commands = createSubagentCommands(parts);
  const queue = createQueueCommand({
    getQueueRules: (session, address) => getQueueRules(options, session, address),
    findLive: (lane) => ({ heardSeqs: listHeard(lane), isWaiting: getLanes().isWaiting(lane) }),
    listModels: createModelList(parts),
  });
  const own = [answer, queue];
  return { parts, timers, statuses, questions, own, tools, commands };
}
