import {
  type Address,
  type ChannelContext,
  ChannelError,
  type ChannelErrorClass,
  formatAddress,
  parseAddress,
  TransportError,
} from "@banyan/plugin-sdk";
import {
  type CanopyAnswers,
  type CanopyCalls,
  type CanopyMethod,
  type CanopyPlace,
  canopyAnswers,
} from "./canopy-wire.ts";

/** Longer than the platform lets a call for updates wait. */
const CALL_TIMEOUT_MS = 60_000;

/** The channel's way to its platform; what goes wrong is a `ChannelError`. */
export interface CanopyLine {
  call<Method extends CanopyMethod>(method: Method, body: CanopyCalls[Method]): Promise<CanopyAnswers[Method]>;
  placeOf(address: Address): CanopyPlace;
  addressOf(place: CanopyPlace): Address;
}

export function createCanopyLine(
  { account, fetch, signal }: Pick<ChannelContext<unknown>, "account" | "fetch" | "signal">,
  url: string,
): CanopyLine {
  return {
    async call(method, body) {
      const request = { method: "POST", body: JSON.stringify(body), signal, timeoutMs: CALL_TIMEOUT_MS };
      const response = await fetch(`${url}/${method}`, request).catch((error: unknown) => {
        const isLost = error instanceof TransportError && error.sent;
        const message = `The canopy was asked to ${method}: no answer came; wait`;
        throw new ChannelError(isLost ? "ambiguous" : "definite", message, { cause: error });
      });
      if (response.ok) return canopyAnswers[method].parse(await response.json());
      throw new ChannelError(classify(response.status), `The canopy was asked to ${method}: ${await response.text()}`);
    },
    placeOf(address) {
      const { kind, chat, thread } = parseAddress(address);
      if (kind === "channel") throw new ChannelError("permanent", `The canopy has no channels, received ${address}`);
      return { kind, chat, ...(thread === undefined ? {} : { thread }) };
    },
    addressOf: ({ kind, chat, thread }) =>
      formatAddress({ channel: "canopy", account, kind, chat, ...(thread === undefined ? {} : { thread }) }),
  };
}

function classify(status: number): ChannelErrorClass {
  if (status === 404) return "thread_gone";
  if (status === 429) return "rate_limited";
  return status === 503 ? "definite" : "permanent";
}
