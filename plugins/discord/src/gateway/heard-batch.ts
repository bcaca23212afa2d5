import { compareSnowflakes } from "../snowflake.ts";
import { type AccountState, noteHeard } from "../state/account-state.ts";

/** What a batch of messages changes in the account's state, gathered in one pass: each is looked at once. */
export class HeardBatch {
  readonly #shards = new Map<number, { newest: string; seq: number; readonly dms: Set<string> }>();

  /** `dm`: the direct chat that it was said in. */
  add(
    shard: number,
    { id, seq, dm }: { readonly id: string; readonly seq: number; readonly dm: string | undefined },
  ): void {
    const known = this.#shards.get(shard) ?? { newest: id, seq, dms: new Set<string>() };
    this.#shards.set(shard, known);
    if (compareSnowflakes(id, known.newest) > 0) known.newest = id;
    if (seq > known.seq) known.seq = seq;
    if (dm === undefined) return;
    known.dms.delete(dm);
    known.dms.add(dm);
  }

  note(state: AccountState): AccountState {
    let noted = state;
    for (const [shard, heard] of this.#shards) noted = noteHeard(noted, shard, heard);
    return noted;
  }
}
