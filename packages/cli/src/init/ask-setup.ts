import type { Readable, Writable } from "node:stream";
import type { ChannelManifest } from "@banyan/core";
import { isCancel, log, password, spinner, text } from "@clack/prompts";
import { formatInspection, inspectToken } from "./inspect-token.ts";
import { type ChannelSetup, findTokenVariable } from "./setup-plan.ts";

export interface AskOptions {
  readonly manifests: readonly ChannelManifest[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether tokens are asked about at their platforms. */
  readonly isChecked: boolean;
  /** A configuration exists: what is not given stays as it is. */
  readonly isChange?: boolean;
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Nobody wants to be set up any more. */
export class SetupCancelled extends Error {
  constructor() {
    super("setting up: it was cancelled; nothing was written");
    this.name = "SetupCancelled";
  }
}

/** Asks for the channels that `banyan init` sets up, one by one. Throws `SetupCancelled` on Ctrl-C. */
export async function askChannels(options: AskOptions): Promise<readonly ChannelSetup[]> {
  const channels: ChannelSetup[] = [];
  for (const manifest of options.manifests) {
    const setup = await askChannel(manifest, options);
    if (setup !== undefined) channels.push(setup);
  }
  return channels;
}

async function askChannel(manifest: ChannelManifest, options: AskOptions): Promise<ChannelSetup | undefined> {
  const found = findTokenVariable(manifest);
  if (found === undefined) return undefined;
  const { variable, key } = found;
  const title = formatTitle(manifest.channel);
  const given = options.env[variable] ?? "";
  for (let isFirst = true; ; isFirst = false) {
    const isFromEnvironment = isFirst && given !== "";
    if (isFromEnvironment) log.info(`${variable} is set: it is used`, streams(options));
    const token = isFromEnvironment ? given : await askToken(title, options);
    if (token === "") return undefined;
    if (!(await isGood(manifest, key, token, options))) continue;
    const owner = await askOwner(title, manifest, options);
    const setup = { channel: manifest.channel, variable, key, token, isFromEnvironment };
    return owner === "" ? setup : { ...setup, owner };
  }
}

async function askToken(title: string, options: AskOptions): Promise<string> {
  const none = options.isChange ? "no change" : `no ${title}`;
  return answered(await password({ message: `The ${title} bot's token (Enter: ${none})`, ...streams(options) })).trim();
}

async function askOwner(title: string, { senderId }: ChannelManifest, options: AskOptions): Promise<string> {
  const given = await text({
    message: `Your own id on ${title} (Enter: write to the bot and let yourself in by the code it answers)`,
    placeholder: "a number, not a user name",
    validate: (value) => {
      const id = (value ?? "").trim();
      return id === "" || senderId === undefined || senderId.test(id) ? undefined : "That is no id of this platform";
    },
    ...streams(options),
  });
  return answered(given).trim();
}

/** A token that is refused is asked for again. */
async function isGood(manifest: ChannelManifest, key: string, token: string, options: AskOptions): Promise<boolean> {
  if (!options.isChecked) return true;
  const progress = spinner(streams(options));
  progress.start(`asking ${formatTitle(manifest.channel)}`);
  try {
    const inspection = await inspectToken(manifest, key, token, options.env);
    progress.stop(inspection === undefined ? "it has the right form" : formatInspection(inspection).join("\n"));
    return true;
  } catch (error) {
    progress.error(error instanceof Error ? error.message : String(error));
    return false;
  }
}

export function answered(value: string | symbol | undefined): string {
  if (isCancel(value)) throw new SetupCancelled();
  return typeof value === "string" ? value : "";
}

export function streams({ input, output }: AskOptions): { input?: Readable; output?: Writable } {
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
}

export function formatTitle(channel: string): string {
  return channel.charAt(0).toUpperCase() + channel.slice(1);
}
