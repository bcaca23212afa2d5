import type { APIUser } from "discord-api-types/v10";

/** How a test describes a person. */
export interface UserSpec {
  /** A snowflake: digits only. */
  readonly id: string;
  readonly username: string;
  readonly globalName?: string;
}

/** A human account of the emulated Discord. */
export interface Person {
  readonly profile: APIUser;
  /** Whether messages of bots are let in; if not, they are refused with 50007 (D33). */
  takesDms: boolean;
}

export function buildPerson({ id, username, globalName }: UserSpec): Person {
  const profile = { id, username, discriminator: "0", global_name: globalName ?? null, avatar: null };
  return { profile, takesDms: true };
}
