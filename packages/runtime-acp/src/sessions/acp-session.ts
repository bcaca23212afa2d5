import type { AcpRecord, RuntimeHost, RuntimeSession, SessionSpec } from "@banyan/plugin-sdk";
import { settleUnlessAborted } from "@banyan/plugin-sdk/kit";
import { createSingleRunSession } from "@banyan/plugin-sdk/runtime";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { AgentSlot } from "../processes/agent-slot.ts";
import type { ToolDoor } from "../tools/tool-door.ts";
import { runAcpTurn } from "../turns/acp-turn.ts";
import { resolveAgentSession } from "./agent-session.ts";
import { letRest } from "./let-go.ts";

export interface AcpSessionParts {
  readonly plan: LaunchPlan;
  readonly slot: AgentSlot;
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  /** Absolute: where each session has a folder of its own. */
  readonly folder: string;
  readonly door: ToolDoor;
}

/** Takes a seat at the agent's process and opens its side of the conversation. */
export async function openAcpSession(parts: AcpSessionParts, signal: AbortSignal): Promise<RuntimeSession> {
  const { plan, slot, spec, host, folder, door } = parts;
  const agent = await slot.sit(host, signal);
  try {
    const opening = resolveAgentSession(agent, { plan, folder, spec, host, door });
    const gone = agent.gone.then((how) =>
      Promise.reject(new Error(`${how} while its session was opened; write again`)),
    );
    let session = await settleUnlessAborted(Promise.race([opening, gone]), signal);
    gone.catch(() => host.log.debug({ agent: plan.name }, "an agent has ended that a session was open with"));
    let kept: AcpRecord | undefined = spec.acp;
    const runs = createSingleRunSession((input) =>
      runAcpTurn(input, {
        agent,
        session,
        plan,
        spec,
        host,
        kept,
        onKept(record) {
          kept = record;
          session = { ...session, knowledge: "known" };
        },
        onWorked: () => slot.praise(),
        onStuck: () => slot.giveUp(agent),
      }),
    );
    return {
      run: (turn) => runs.run(turn),
      async close() {
        await runs.close();
        letRest(agent, session.standing, host);
        await slot.leave(agent, host);
      },
    };
  } catch (error) {
    // One that does not answer in time will not answer the next one either.
    if (signal.aborted) slot.giveUp(agent);
    await slot.leave(agent, host);
    throw error;
  }
}
