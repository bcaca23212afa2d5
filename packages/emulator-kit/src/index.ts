/** What emulated platforms have in common: their time, the record of calls, the faults that a test injects, and who hears what. */
export { type CallCount, CallJournal, type JournalledCall, type JournalRules, RECORD_LIMIT } from "./call-journal.ts";
export { type Clock, createSystemClock } from "./clock.ts";
export { type ActiveFault, type CountedFault, FaultList } from "./fault-list.ts";
export { Gate } from "./gate.ts";
export { Hearing, type HearingRules, type HearingSource, type HearOptions, type Matcher } from "./hearing.ts";
export { type FaultPort, HeldGate, InjectedFault } from "./injected-fault.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { PATIENCE_MS } from "./patience.ts";
export { createShiftedClock, type ShiftedClock } from "./shifted-clock.ts";
export { createSignal, type Signal } from "./signal.ts";
