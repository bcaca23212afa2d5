/** One attempt to bring an update to a webhook, or what somebody else posted there. */
export interface WebhookDelivery {
  /** Grows by one with each attempt of the bot. */
  readonly seq: number;
  /** Undefined for a forged one. */
  readonly updateId?: number;
  readonly atMs: number;
  /** What came back; undefined while it is under way, or where nothing did. */
  status?: number;
  /** As getWebhookInfo would tell it: a wrong status, or why there is none. */
  error?: string;
  isSettled: boolean;
}
