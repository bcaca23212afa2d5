import { amendmentCases } from "./cases/amendment-cases.ts";
import { anchorCases } from "./cases/anchor-cases.ts";
import { answerCases } from "./cases/answer-cases.ts";
import { archiveCases } from "./cases/archive-cases.ts";
import { bindingCases } from "./cases/binding-cases.ts";
import { claimCases } from "./cases/claim-cases.ts";
import { commandCases } from "./cases/command-cases.ts";
import { commandRunCases } from "./cases/command-run-cases.ts";
import { commitTurnCases } from "./cases/commit-turn-cases.ts";
import { completionCases } from "./cases/completion-cases.ts";
import { dayCases } from "./cases/day-cases.ts";
import { deliveryCases } from "./cases/delivery-cases.ts";
import { entryCases } from "./cases/entry-cases.ts";
import { fusedClaimCases } from "./cases/fused-claim-cases.ts";
import { historyCases } from "./cases/history-cases.ts";
import { itemTimerCases } from "./cases/item-timer-cases.ts";
import { lifeCases } from "./cases/life-cases.ts";
import { linkCases } from "./cases/link-cases.ts";
import { listCases } from "./cases/list-cases.ts";
import { migrateCases } from "./cases/migrate-cases.ts";
import { newDeliveryCases } from "./cases/new-delivery-cases.ts";
import { operatorCases } from "./cases/operator-cases.ts";
import { pairingCases } from "./cases/pairing-cases.ts";
import { pruneCases } from "./cases/prune-cases.ts";
import { receiptCases } from "./cases/receipt-cases.ts";
import { receiveCases } from "./cases/receive-cases.ts";
import { recoverCases } from "./cases/recover-cases.ts";
import { refusalCases } from "./cases/refusal-cases.ts";
import { rekeyCases } from "./cases/rekey-cases.ts";
import { releaseCases } from "./cases/release-cases.ts";
import { reopenedSessionCases } from "./cases/reopened-session-cases.ts";
import { retryCases } from "./cases/retry-cases.ts";
import { routeCases } from "./cases/route-cases.ts";
import { runAcceptCases } from "./cases/run-accept-cases.ts";
import { runEndCases } from "./cases/run-end-cases.ts";
import { runGiverCases } from "./cases/run-giver-cases.ts";
import { runListCases } from "./cases/run-list-cases.ts";
import { runMoveCases } from "./cases/run-move-cases.ts";
import { runPruneCases } from "./cases/run-prune-cases.ts";
import { runReserveCases } from "./cases/run-reserve-cases.ts";
import { runStopCases } from "./cases/run-stop-cases.ts";
import { runTransitionCases } from "./cases/run-transition-cases.ts";
import { sessionCases } from "./cases/session-cases.ts";
import { suspectCases } from "./cases/suspect-cases.ts";
import { toldTogetherCases } from "./cases/told-together-cases.ts";
import { toolResultCases } from "./cases/tool-result-cases.ts";
import { turnRecordCases } from "./cases/turn-record-cases.ts";
import { turnRunCases } from "./cases/turn-run-cases.ts";
import { turnWaitCases } from "./cases/turn-wait-cases.ts";
import { writerCases } from "./cases/writer-cases.ts";
import type { StoreCase } from "./store-case.ts";

/** Every sentence of the store port. A driver's test runs each case with a harness of its own. */
export const storeConformance: readonly StoreCase[] = [
  ...receiveCases,
  ...refusalCases,
  ...claimCases,
  ...fusedClaimCases,
  ...toolResultCases,
  ...answerCases,
  ...commitTurnCases,
  ...releaseCases,
  ...commandCases,
  ...newDeliveryCases,
  ...deliveryCases,
  ...anchorCases,
  ...receiptCases,
  ...retryCases,
  ...operatorCases,
  ...sessionCases,
  ...dayCases,
  ...entryCases,
  ...historyCases,
  ...recoverCases,
  ...suspectCases,
  ...pruneCases,
  ...listCases,
  ...routeCases,
  ...pairingCases,
  ...amendmentCases,
  ...linkCases,
  ...rekeyCases,
  ...writerCases,
  ...migrateCases,
  ...runTransitionCases,
  ...runReserveCases,
  ...runAcceptCases,
  ...runGiverCases,
  ...runEndCases,
  ...runStopCases,
  ...completionCases,
  ...turnRecordCases,
  ...toldTogetherCases,
  ...turnRunCases,
  ...turnWaitCases,
  ...commandRunCases,
  ...bindingCases,
  ...itemTimerCases,
  ...archiveCases,
  ...reopenedSessionCases,
  ...runListCases,
  ...runMoveCases,
  ...runPruneCases,
  ...lifeCases,
];
