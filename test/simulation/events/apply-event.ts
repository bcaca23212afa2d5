import type { World } from "../world/world.ts";
import type { WorldEvent } from "./world-event.ts";

/** Lets an event happen, now. */
export function applyEvent({ ground, town, process }: World, event: WorldEvent): void {
  const { faults, trace, clock } = ground;
  switch (event.kind) {
    case "says":
      town.says(event.person, event.text, event.mood);
      return;
    case "burst":
      for (let said = 0; said < event.count; said += 1) town.says(event.person, "hello #m", "echo");
      return;
    case "repeat":
      town.repeats(event.place);
      return;
    case "drop":
      trace.tell(() => `  ! raven/north drops the connection (${event.how})`);
      town.raven.drop(event.how);
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
