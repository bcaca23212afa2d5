import type { World } from "../world/world.ts";
import { type Operation, operate } from "./operate.ts";
import type { WorldEvent } from "./world-event.ts";

/** Lets an event happen, now. */
export function applyEvent(world: World, event: WorldEvent): void {
  const { ground, town, process } = world;
  switch (event.kind) {
    case "says":
      town.says(event.person, event.text, event.errand);
      return;
    case "says_in_guild":
      town.saysInGuild(event);
      return;
    case "says_in_group":
      town.saysInGroup(event.group, event);
      return;
    case "edit":
      town.edits(event.place);
      return;
    case "delete_of_bot":
      town.deletesOfBot(event.account, event.place);
      return;
    case "redeem":
      town.redeems(event.person, event.of);
      return;
    case "migrate":
      town.moves(event.group, event.isTold);
      return;
    case "settle_pairing":
    case "operator_link":
    case "operator_unlink":
    case "rekey":
    case "kill_run":
    case "delete_session":
    case "reset":
      operate(process, ground, event);
      return;
    case "burst":
      for (let said = 0; said < event.count; said += 1) town.says(event.person, "hello #m");
      return;
    case "repeat":
      town.repeats(event.place);
      return;
    default:
      applyTrouble(world, event);
  }
}

type Calm =
  | "says"
  | "says_in_guild"
  | "says_in_group"
  | "edit"
  | "delete_of_bot"
  | "redeem"
  | "migrate"
  | "burst"
  | "repeat"
  | Operation["kind"];

function applyTrouble({ ground, town, process }: World, event: Exclude<WorldEvent, { readonly kind: Calm }>): void {
  const { faults, trace, clock } = ground;
  switch (event.kind) {
    case "drop":
      trace.tell(() => `  ! raven/north drops the connection (${event.how})`);
      town.raven.drop(event.how);
      return;
    case "touch_thread":
      town.guild?.touchThread(event.place, event.deed);
      return;
    case "gate_trouble":
      trace.tell(() => `  ! discord/grove: ${event.how}`);
      town.guild?.gate.trouble(event.how);
      return;
    case "guild_outage":
      town.guild?.failGuild(event.forMs);
      return;
    case "call_fault":
      faults.addCall(event.call, event.fault);
      return;
    case "lull":
      return;
    case "lose_poll":
      faults.losePoll(event.account);
      return;
    case "send_fault":
      faults.addSend(event.account, event.fault);
      return;
    case "greeting_fault":
      faults.addGreeting(event.account, event.fault);
      return;
    case "commit_fault":
      faults.addCommit(event.step, event.fault);
      return;
    case "point_fault":
      faults.addPoint(event.point, event.fault);
      return;
    case "outage":
      trace.tell(() => `  ! no platform is reached for ${Math.round(event.forMs)} ms`);
      ground.outageUntilMs = clock.monotonic() + event.forMs;
      return;
    case "full":
      trace.tell(() => `  ! the store is full for ${Math.round(event.forMs)} ms`);
      ground.fullUntilMs = clock.monotonic() + event.forMs;
      return;
    case "crash":
      process.die();
      return;
    case "pause":
      process.pause();
      return;
    case "stop":
      trace.tell(() => `#${process.number} is stopped`);
      process.stop();
      return;
    case "jump":
      trace.tell(() => `  ! the wall clock is set by ${Math.round(event.byMs)} ms`);
      clock.jump(event.byMs);
      return;
  }
}
