import {
  type ClientConnection,
  client,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionResponse,
  type Stream,
} from "@agentclientprotocol/sdk";
import {
  type ConfigOption,
  type InitializeAnswer,
  type PromptAnswer,
  parseInitialize,
  parseOffer,
  parseOptions,
  parsePromptAnswer,
  parseSessionId,
  parseSteeringOutcome,
  parseUpdate,
  type SessionOffer,
} from "./agent-answer.ts";
import { UnfitAgentError } from "./agent-failure.ts";
import { buildTagMeta, parseTagMeta } from "./turn-tag.ts";
import { type DroppedUpdate, type SessionEar, UpdateDoor } from "./update-door.ts";

/** What an agent can do beyond the least. */
export type AgentAbilities = Omit<InitializeAnswer, "protocolVersion">;

/** Where a session works, and what it is opened with. */
export interface SessionPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Where it finds the conversation's tools. */
  readonly servers: readonly McpServer[];
}

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** For agents that say they can see them. */
export interface ImageBlock {
  readonly type: "image";
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
const STEERING_METHOD = "_session/steering";
/** By the protocol's unstable schema; the rest of the link keeps to the stable one. */
const FORK_METHOD = "session/fork";
const RESOURCE_NOT_FOUND = -32_002;

export interface BegunSession {
  readonly id: string;
  readonly offer: SessionOffer;
}

/** The protocol with one agent process. Files and terminals of the host are not offered to it. */
export class AgentLink {
  readonly #connection: ClientConnection;
  readonly #door: UpdateDoor;

  /** `onDropped`: as the door of its updates tells it. */
  constructor(stream: Stream, onDropped: (drop: DroppedUpdate) => void) {
    this.#door = new UpdateDoor(onDropped);
    this.#connection = client({ name: "banyan" })
      // A parser of our own: the SDK's refuses, aloud, each kind of update that is newer than itself.
      .onNotification(methods.client.session.update, parseUpdate, ({ params }) => this.#door.receive(params))
      .onRequest(
        methods.client.session.requestPermission,
        ({ params }) => this.#door.findEar(params.sessionId, parseTagMeta(params._meta))?.decide(params) ?? CANCELLED,
      )
      .connect(stream);
  }

  async initialize(version: string): Promise<AgentAbilities> {
    const answer = await this.#connection.agent.request<unknown>(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "banyan", version },
    });
    const { protocolVersion, ...abilities } = parseInitialize(answer);
    if (protocolVersion === PROTOCOL_VERSION) return abilities;
    throw new UnfitAgentError(
      `it speaks version ${protocolVersion} of the protocol, and ${PROTOCOL_VERSION} is needed; update it`,
    );
  }

  /** Hands a prompt to the agent, which carries the ear's tag. What is said is heard until `stopListening` is called. */
  startPrompt(
    sessionId: string,
    prompt: readonly (TextBlock | ImageBlock)[],
    ear: SessionEar,
  ): { readonly answer: Promise<PromptAnswer>; stopListening(): void } {
    const stopListening = this.#door.listen(sessionId, ear);
    return { answer: this.#prompt({ sessionId, prompt, _meta: buildTagMeta(ear.tag) }), stopListening };
  }

  /** What a session has cost until now, by the agent's last word in this process. */
  findToldUsd(sessionId: string): number | undefined {
    return this.#door.findToldUsd(sessionId);
  }

  /** Nothing more is heard of a session that is over. */
  forget(sessionId: string): void {
    this.#door.forget(sessionId);
  }

  async newSession(place: SessionPlace): Promise<BegunSession> {
    const answer = await this.#connection.agent.request<unknown>(methods.agent.session.new, buildPlace(place));
    return { id: parseSessionId(answer), offer: parseOffer(answer) };
  }

  /** A session that knows what that one knows. `undefined`: the agent makes none of it. */
  async fork(sessionId: string, place: SessionPlace): Promise<BegunSession | undefined> {
    try {
      const answer = await this.#connection.agent.request<unknown>(FORK_METHOD, { sessionId, ...buildPlace(place) });
      return { id: parseSessionId(answer), offer: parseOffer(answer) };
    } catch (error) {
      if (error instanceof RequestError) return undefined;
      throw error;
    }
  }

  /** `undefined`: the agent does not know the session any more. */
  async takeUp(sessionId: string, place: SessionPlace, way: "resume" | "load"): Promise<SessionOffer | undefined> {
    const { resume, load } = methods.agent.session;
    // What it says again of earlier prompts belongs to none.
    this.#door.admit(sessionId);
    try {
      const params = { sessionId, ...buildPlace(place) };
      return parseOffer(await this.#connection.agent.request<unknown>(way === "resume" ? resume : load, params));
    } catch (error) {
      // Nobody speaks in it, so nobody lets it go.
      this.#door.forget(sessionId);
      if (error instanceof RequestError && error.code === RESOURCE_NOT_FOUND) return undefined;
      throw error;
    }
  }

  async closeSession(sessionId: string): Promise<void> {
    await this.#connection.agent.request<unknown>(methods.agent.session.close, { sessionId });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    await this.#connection.agent.request<unknown>(methods.agent.session.setMode, { sessionId, modeId });
  }

  async setOption(sessionId: string, configId: string, value: string): Promise<readonly ConfigOption[]> {
    const { setConfigOption } = methods.agent.session;
    return parseOptions(await this.#connection.agent.request<unknown>(setConfigOption, { sessionId, configId, value }));
  }

  async #prompt(params: object): Promise<PromptAnswer> {
    return parsePromptAnswer(await this.#connection.agent.request<unknown>(methods.agent.session.prompt, params));
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** What became of the message, in the extension's words. */
  async steer(sessionId: string, prompt: readonly TextBlock[]): Promise<string> {
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    const answer = await this.#connection.agent.request<unknown>(STEERING_METHOD, { sessionId, prompt, _meta });
    return parseSteeringOutcome(answer);
  }

  /** Resolves when nothing can be said or heard any more. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  close(): void {
    this.#connection.close();
  }
}

function buildPlace({ cwd, meta, servers }: SessionPlace) {
  return { cwd, mcpServers: [...servers], ...(meta === undefined ? {} : { _meta: meta }) };
}
