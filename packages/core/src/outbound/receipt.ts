import { ChannelError, type DeliveryReceipt } from "@banyan/plugin-sdk";

/** A plugin may be written without types. */
export function isReceipt(receipt: unknown): receipt is DeliveryReceipt {
  const isObject = typeof receipt === "object" && receipt !== null;
  return isObject && "platformId" in receipt && typeof receipt.platformId === "string";
}

/** Of a call that the plugin did not end in its time. */
export function buildLateError(): ChannelError {
  return new ChannelError(
    "ambiguous",
    "A message was sent: the plugin gave no answer in time; the platform is slow or the plugin hangs",
  );
}
