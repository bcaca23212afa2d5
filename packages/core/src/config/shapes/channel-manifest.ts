/**
 * What a channel plugin's `package.json` says of it under `banyan`, so that a channel can be switched on, and its
 * account be read from the environment, without importing the plugin.
 */
export interface ChannelManifest {
  /** The package's name. */
  readonly package: string;
  /** The id that the plugin declares. */
  readonly channel: string;
  /** By the variable's name. */
  readonly env: Readonly<Record<string, ManifestVariable>>;
  /** What a sender's stable id looks like, if the platform has a form for it. */
  readonly senderId?: RegExp | undefined;
  /** What the stable id of a group or channel looks like. */
  readonly chatId?: RegExp | undefined;
  /** What the stable id of a server looks like. */
  readonly guildId?: RegExp | undefined;
}

export interface ManifestVariable {
  /** The account's key that the variable gives. */
  readonly key: string;
  /** Set, it switches the channel on; where several do, all must be set. */
  readonly switchesOn: boolean;
  readonly secret: boolean;
  /** A list, separated by commas. */
  readonly list: boolean;
}

/** The variables without which the channel stays off unless the file has an account. */
export function listSwitches(manifest: ChannelManifest): readonly string[] {
  return Object.entries(manifest.env).flatMap(([name, variable]) => (variable.switchesOn ? [name] : []));
}
