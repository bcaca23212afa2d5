/** What emulated platforms have in common: their time, the faults that a test injects, and waiting for news. */
export { type Clock, createSystemClock } from "./clock.ts";
export { type ActiveFault, type CountedFault, FaultList } from "./fault-list.ts";
export { Gate } from "./gate.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { createShiftedClock, type ShiftedClock } from "./shifted-clock.ts";
export { createSignal, type Signal } from "./signal.ts";
