import { type Address, parseAddress } from "@banyan/plugin-sdk";
import type { DeliveryBody } from "@banyan/store";
import type { AccountName } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Edit } from "../world/observation.ts";

/** People delete what they have just read. */
const LAST = 5;

/** The messages of one account that stand in chats, for those who edit and delete them. */
export class MessageBoard {
  readonly #ground: Ground;
  readonly #account: AccountName;
  /** By the platform's id: where it stands. */
  readonly #chats = new Map<string, string>();

  constructor(ground: Ground, account: AccountName) {
    this.#ground = ground;
    this.#account = account;
  }

  add(platformId: string, address: Address): void {
    this.#chats.set(platformId, parseAddress(address).chat);
  }

  /** `false`: it is not there, or not in this chat. */
  change(edit: Omit<Edit, "account"> & { readonly address: Address }): boolean {
    if (this.#chats.get(edit.platformId) !== parseAddress(edit.address).chat) {
      this.#ground.trace.tell(() => `  ! ${edit.platformId} is to be edited, and is there no more`);
      return false;
    }
    this.#ground.observe({ type: "edited", edit: { ...edit, account: this.#account } });
    return true;
  }

  /** Somebody deletes one of the last few, whichever the number falls on. */
  remove(place: number): void {
    const ids = [...this.#chats.keys()].slice(-LAST);
    const platformId = ids[place % Math.max(1, ids.length)];
    if (platformId === undefined) return;
    this.#chats.delete(platformId);
    this.#ground.trace.tell(() => `  ! somebody deletes ${platformId}`);
    this.#ground.observe({ type: "removed", platformId });
  }

  /** The row that is under way in the chat with these words, if the edit is its sending. */
  findRow({ address, text }: { readonly address: Address; readonly text: string }): string | undefined {
    const { deliveries, unsettledDeliveries } = this.#ground.data;
    for (const id of unsettledDeliveries.get("sending") ?? []) {
      const row = deliveries.get(id)?.row;
      if (row?.policy !== "anchor" || row.address !== address) continue;
      const body: DeliveryBody = JSON.parse(row.body);
      if (body.text === text) return id;
    }
    return undefined;
  }
}
