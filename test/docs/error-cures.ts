import type { ErrorCode } from "@banyan/core";
import type { ChannelErrorClass } from "@banyan/plugin-sdk";
import type { StoreErrorCode } from "@banyan/store";

interface Trouble {
  readonly cause: string;
  readonly cure: string;
}

/** What the page says besides the meaning, which is in the table of the codes. A new code without a row is a type error. */
export const ERROR_CURES: Readonly<Record<ErrorCode, Trouble>> = {
  invalid_segment: {
    cause: "A plugin, or a program that embeds Banyan, passed an empty or malformed id.",
    cure: "Correct the id that the message names. If it comes from a plugin, tell its author.",
  },
  invalid_agent_id: {
    cause: "The id of an agent has no character that a session key can hold, or it was not normalized.",
    cure: "Use a-z, 0-9, `_` and `-`, and begin with a letter or a digit.",
  },
  invalid_account_id: {
    cause: "The name of an account is a reserved word, or has no usable character.",
    cure: "Use another name of a-z, 0-9, `_` and `-`.",
  },
  invalid_channel: {
    cause: "The id has other characters, is too long, or is a word that session keys use.",
    cure: "Use the id that the channel's plugin declares: a letter, then up to 31 of a-z, 0-9 and `-`.",
  },
  invalid_session_key: {
    cause: "The given key is not the key of a session, or of another kind than the command needs.",
    cure: "Copy the key from `banyan sessions list`.",
  },
  invalid_identity_links: {
    cause:
      "`session.identityLinks`, or `banyan link add`, gives one account to two people, or an account is not `channel:id`.",
    cure: "Link each account to one person. `banyan link list` shows all links.",
  },
  config_invalid: {
    cause: "A key is unknown, or a value is wrong or does not fit another value. The message lists every problem.",
    cure: "Correct the keys that the message names. [Configuration](configuration.md) describes all keys.",
  },
  config_unreadable: {
    cause: "The file does not exist, is not valid JSON, or fails while it is imported.",
    cure: "Correct the file, or the path after `--config`.",
  },
  state_dir_unusable: {
    cause: "The state directory or its database cannot be used: wrong owner, another gateway, no space, or lost data.",
    cure: "Do what the message says; [errors of the store](#errors-of-the-store) explains more. `banyan doctor` checks the directory.",
  },
  store_conflict: {
    cause: "Something else changed the same record each time Banyan tried to update it.",
    cure: "Run the command again when fewer messages arrive.",
  },
  store_failed: {
    cause: "The database was damaged or removed while the gateway ran, or its worker died repeatedly.",
    cure: "The gateway stops. Correct the cause that the message names, then start again.",
  },
  nothing_stored: {
    cause: "No gateway has run with this state directory.",
    cure: "Run the command in the gateway's folder, or set `BANYAN_STATE_DIR`. `banyan start` creates a new state directory.",
  },
  session_not_found: {
    cause: "The key or id is misspelled, or the session does not exist in this state directory.",
    cure: "`banyan sessions list` shows all keys. The beginning of a key or an id is enough.",
  },
  run_not_found: {
    cause: "The number, id, key or name is misspelled, or the record was removed after `limits.runRetentionDays`.",
    cure: "`banyan runs list` shows the runs. The first four characters of an id are enough.",
  },
  delivery_not_found: {
    cause: "No delivery has this id, or several begin with it.",
    cure: "`banyan outbox list --state all` shows the ids. Write more of the id.",
  },
  delivery_unchanged: {
    cause: "The delivery is being sent, or was sent.",
    cure: "Nothing to do. `banyan outbox list --state all` shows its state.",
  },
  account_unchecked: {
    cause: "`banyan init` checked a token, and the platform refused it or did not answer.",
    cure: "Correct the token, or check the network. `--no-check` writes the configuration without the check.",
  },
  plugin_invalid: {
    cause: "A plugin lacks a part that Banyan needs, or its channel or one of its tools has a name that is taken.",
    cure: "Update the plugin, or tell its author. Of two plugins with the same name, remove one.",
  },
  plugin_unavailable: {
    cause: "The package is not installed, the file does not exist, or its code fails while it is imported.",
    cure: "Install the package in the folder of the configuration, or correct `plugins`.",
  },
  runtime_unavailable: {
    cause: "No runtime or agent has this name, or the runtime is a process and `sandbox` is `strict`.",
    cure: "Correct `runtime` or `sandbox` of the agent, here and in the agents above it.",
  },
  runtime_late: {
    cause: "The runtime, such as the program of a foreign agent, did not become ready within its time limit.",
    cure: "Check that its program, its network and its keys work. The next message tries again.",
  },
  too_few_files: {
    cause: "The limit of open files of the process is too low.",
    cure: "Raise it, for example with `ulimit -n 1024`, and start again.",
  },
  port_taken: {
    cause: "Another program listens on the port. It may be another gateway.",
    cure: "Stop it, or use another port: `BANYAN_PORT=9000 banyan start`, or `server.port`.",
  },
  address_unusable: {
    cause: "`server.host` is not an address of this machine, or the user may not open `server.port`.",
    cure: "Correct `server.host`, such as `127.0.0.1`, or `server.port`.",
  },
  control_unavailable: {
    cause: "The command needs a running gateway, and none runs with this state directory.",
    cure: "Start it with `banyan start`, or run the command in the folder of the gateway.",
  },
  gateway_silent: {
    cause: "A process uses the state directory and does not answer: it starts, stops, is suspended or hangs.",
    cure: "Wait and try again. If it stays so, end the process that the message names and run `banyan start`. Nothing is lost.",
  },
  shared_dm_refused: {
    cause: "With `session.dmScope` or `session.scope`, several people would read one conversation.",
    cure: "Use `per-channel-peer`, or link accounts that are one person, or set `session.acceptSharedDm: true`.",
  },
  session_tree_cycle: {
    cause: "A program has changed `spawnedBy` of stored sessions, so that a session is its own ancestor.",
    cure: "Correct `spawnedBy` in one of the records that the message names.",
  },
  attachments_unwritable: {
    cause: "The workspace of the sub-agent is full or not writable, or `.banyan` in it is a link.",
    cure: "Free disk space, correct the permissions of the workspace, or remove the link.",
  },
  foreign_writers: {
    cause: "A conversation contains messages of another person than the one who would read it.",
    cure: "Move it with the command in the message, `banyan sessions rekey OLD NEW`. If both may read it, allow that.",
  },
};

export const STORE_CURES: Readonly<Record<StoreErrorCode, Trouble & { readonly meaning: string }>> = {
  commit_unknown: {
    meaning: "it is not known whether a change was written",
    cause: "The database's worker ended, or did not answer, during a write.",
    cure: "Nothing to do. Banyan repeats the change; a repeated change has no second effect.",
  },
  full: {
    meaning: "no disk space is left",
    cause: "The disk of the state directory is full.",
    cure: "Free disk space. A running gateway then continues by itself. Nothing is lost.",
  },
  closed: {
    meaning: "the store is closed",
    cause: "The gateway stops, or the store failed earlier.",
    cure: "Look for the first error in `banyan logs --level error`.",
  },
  locked: {
    meaning: "another process writes in the state directory",
    cause: "A second gateway, or a command that needs the database alone, uses the same state directory.",
    cure: "Stop that process, or use another state directory with `BANYAN_STATE_DIR`.",
  },
  newer_schema: {
    meaning: "the database was written by a newer Banyan",
    cause: "An older Banyan was installed after an update.",
    cure: "Install the newer Banyan again, or restore a backup from before the update: `banyan backup list`, `banyan restore`.",
  },
  corrupt: {
    meaning: "the database is damaged",
    cause: "The disk failed, or another program changed the file.",
    cure: "`banyan restore` puts the newest backup in place. The damaged files are kept in `replaced/`.",
  },
  lost: {
    meaning: "the stored data was removed or replaced",
    cause:
      "`banyan.db` or its log `banyan.db-wal` was deleted, replaced by an older copy, or belongs to another store.",
    cure: "`banyan restore` puts the newest backup in place. `banyan start --new-store` starts empty.",
  },
  unusable: {
    meaning: "the state directory or the database cannot be used",
    cause:
      "The user may not write there, a file of another program is in the way, or the given backup cannot be restored.",
    cure: "Do what the message says. Run Banyan as the user who owns the state directory.",
  },
};

/** What Banyan does with a message whose sending ended so, and what a person can do. */
export const DELIVERY_CURES: Readonly<Record<ChannelErrorClass, Trouble>> = {
  definite: {
    cause:
      "Banyan tries again, with pauses from 1 second to 5 minutes. After 30 attempts the state is `stuck`, and Banyan tries every 30 minutes.",
    cure: "Check the network. `banyan outbox retry ID` tries at once.",
  },
  ambiguous: {
    cause:
      'Banyan tries again as above. Where the platform cannot detect a repeat, the message is marked “(may be repeated)”. With `delivery: "at-most-once"` the state is `unknown` instead.',
    cure: "Look in the chat whether an `unknown` message arrived. Then `banyan outbox retry ID` or `banyan outbox drop ID`.",
  },
  permanent: {
    cause: "The state is `undeliverable`.",
    cure: "`banyan outbox list` shows what the platform answered. Correct that, then `banyan outbox retry ID`.",
  },
  rate_limited: {
    cause: "Banyan waits as long as the platform asks. That costs no attempt.",
    cure: "Nothing to do.",
  },
  unauthorized: {
    cause: "The account stops. Its messages wait.",
    cure: "Set a valid token and start the gateway again.",
  },
  thread_gone: {
    cause: "The state is `undeliverable`, and the sub-agent no longer has the thread.",
    cure: "Nothing to do, or send the message again after the thread is open again.",
  },
  chat_gone: {
    cause: "The state is `undeliverable`.",
    cure: "Add or unblock the bot, and let it write. Then `banyan outbox retry ID`.",
  },
  message_gone: {
    cause:
      'With `delivery: "anchor"`, a new message takes the place of the one that was to be edited. Otherwise the state is `undeliverable`.',
    cure: "Nothing to do.",
  },
  migrated: {
    cause: "The conversation moves to the new address, and the message is sent there.",
    cure: "Nothing to do.",
  },
  too_long: {
    cause: "The state is `undeliverable`.",
    cure: "Tell the author of the channel's plugin: the limit that the plugin declares is too high.",
  },
  bad_markup: {
    cause: "The state is `undeliverable`.",
    cure: "Tell the author of the channel's plugin.",
  },
};
