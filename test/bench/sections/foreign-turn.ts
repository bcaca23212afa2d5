import { spawn } from "node:child_process";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import type { AcpRecord } from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { createAcpRuntime } from "@banyan/runtime-acp";
import type { Bar } from "../bar.ts";
import { makeBenchFolder } from "../bench-folder.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";

const RATIO_LIMIT = 1.5;
/** Of each, in a round; the bare SDK and the runtime take turns. */
const TURNS_PER_ROUND = 200;
const WARM_TURNS = 50;
const AGENT = new URL("../../../packages/runtime-acp/test/fixture/agent.ts", import.meta.url).pathname;
/** An answer in forty pieces, as a model streams one. */
const PIECES = Array.from({ length: 40 }, (_, at) => `(piece ${at})`);
const PROMPT = `say ${PIECES.join("|")}`;

/** A turn of the runtime `acp`, and the same prompt by the bare SDK, each with an agent process of its own. */
export const foreignTurn: Section = {
  name: "acp",
  about: "a turn of a foreign agent against the bare SDK, on the same agent program",
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const [bare, agent] = [await openBare(), openRuntime()];
    try {
      for (let turn = 0; turn < WARM_TURNS; turn += 1) {
        await bare.ask();
        await agent.ask();
      }
      const rounds: { readonly bareMs: number; readonly agentMs: number }[] = [];
      for (let round = 1; round <= pairs; round += 1) {
        const times: { readonly bare: number[]; readonly agent: number[] } = { bare: [], agent: [] };
        for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1) {
          times.bare.push(await measureMs(bare.ask));
          times.agent.push(await measureMs(agent.ask));
        }
        const [bareMs, agentMs] = [median(times.bare), median(times.agent)];
        rounds.push({ bareMs, agentMs });
        tell(`acp ${round}/${pairs}  bare ${bareMs.toFixed(2)} ms, runtime ${agentMs.toFixed(2)} ms a turn (p50)`);
      }
      return [judge(rounds)];
    } finally {
      await bare.close();
      await agent.close();
    }
  },
};

interface Asked {
  ask(): Promise<string>;
  close(): Promise<void>;
}

function judge(rounds: readonly { readonly bareMs: number; readonly agentMs: number }[]): Bar {
  const agentMs = median(rounds.map((round) => round.agentMs));
  const bareMs = median(rounds.map((round) => round.bareMs));
  return {
    name: "foreign turn to the bare SDK",
    measured: median(rounds.map((round) => round.agentMs / round.bareMs)),
    limit: RATIO_LIMIT,
    side: "at most",
    unit: "×",
    detail: `p50 ${agentMs.toFixed(2)} to ${bareMs.toFixed(2)} ms, ${PIECES.length} pieces each`,
  };
}

async function measureMs(ask: () => Promise<string>): Promise<number> {
  const begunMs = performance.now();
  const said = await ask();
  const tookMs = performance.now() - begunMs;
  // What answers something else has not done the same work.
  if (said !== PIECES.join("")) throw new Error(`pnpm bench: the agent said ${JSON.stringify(said)}`);
  return tookMs;
}

/** One session, prompt after prompt, read as the SDK's own helper reads it. */
async function openBare(): Promise<Asked> {
  const child = spawn(process.execPath, [AGENT], { stdio: ["pipe", "pipe", "ignore"] });
  const output = new WritableStream<Uint8Array>({
    write: (chunk) => new Promise((resolve) => child.stdin.write(chunk, () => resolve())),
  });
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      child.stdout.on("data", (chunk: Uint8Array) => controller.enqueue(chunk));
    },
  });
  const connection = client({ name: "bench" }).connect(ndJsonStream(output, input));
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1 });
  const session = await connection.agent.buildSession(makeBenchFolder().path).start();
  return {
    async ask() {
      const [said] = await Promise.all([session.readText(), session.prompt(PROMPT)]);
      return said;
    },
    async close() {
      connection.close();
      child.kill();
    },
  };
}

/** As the core does it: a session for each turn. */
function openRuntime(): Asked {
  const runtime = createAcpRuntime({
    findSettings: () => ({ agent: { command: process.execPath, args: [AGENT] }, env: [], profile: "ask" }),
    env: process.env,
    folder: makeBenchFolder().path,
    version: "0",
  });
  const desk = new TurnDesk();
  let acp: AcpRecord | undefined;
  return {
    async ask() {
      const host = {
        clock: desk.clock,
        log: desk.log,
        keepAcp: async (record: AcpRecord) => {
          acp = record;
        },
      };
      const spec = {
        sessionKey: "agent:main:main",
        sessionId: "bench",
        agentId: "main",
        workspaceDir: "/",
        tools: [],
        audience: "known",
        ...(acp === undefined ? {} : { acp }),
      } as const;
      const session = await runtime.open(spec, host, new AbortController().signal);
      const events = await readAll(session.run(desk.turn(PROMPT)));
      await session.close();
      return textOf(events);
    },
    close: async () => runtime.close?.(),
  };
}
