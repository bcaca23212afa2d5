/** Every failure the core raises by itself, one line each: the code is what programs match on. */
export const ERROR_CODES = {
  invalid_segment: "a given id is empty, missing or not valid text",
  invalid_agent_id: "the id of an agent cannot be used in a session key",
  invalid_account_id: "the name of an account is reserved or cannot be used in a session key",
  invalid_channel: "the id of a channel is malformed or reserved",
  invalid_session_key: "a session key has the wrong form for the operation",
  invalid_identity_links: "identity links contradict each other or name no channel",
  config_invalid: "the configuration has unknown, refused or malformed values",
  config_unreadable: "the configuration file is missing or cannot be loaded",
  state_dir_unusable: "the state directory cannot be created or written",
  store_conflict: "a record changed five times while it was being updated",
  store_failed: "the store can no longer commit",
  nothing_stored: "the state directory holds nothing yet",
  session_not_found: "no session has that key, id or address",
  run_not_found: "no run of a sub-agent has that number, id, key or name",
  delivery_not_found: "no delivery, or more than one, has that id",
  delivery_unchanged: "a delivery is being sent or was sent, and is not changed",
  account_unchecked: "a platform refused an account's credentials, or did not answer",
  plugin_invalid: "a plugin's definition breaks the contract",
  plugin_unavailable: "a plugin named in the configuration cannot be loaded",
  runtime_unavailable: "an agent's runtime does not exist or is not allowed",
  runtime_late: "a runtime did not open in time",
  too_few_files: "the process may open too few files",
  port_taken: "the server's port is in use",
  address_unusable: "the server cannot listen on that address",
  control_unavailable: "no gateway answers on the control socket",
  gateway_silent: "a gateway holds the state directory and does not respond",
  shared_dm_refused: "a DM scope would let several people share one conversation",
  session_tree_cycle: "the stored parents of sessions form a cycle",
  attachments_unwritable: "the files of a sub-agent cannot be written to its workspace",
  foreign_writers: "a conversation contains messages of another person",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * A failure of the core. The message says what was attempted, what was wrong and received, and what to do;
 * it never holds a secret.
 */
export class BanyanError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "BanyanError";
    this.code = code;
  }
}
