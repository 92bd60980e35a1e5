/** Lists the directed scenarios. */

import { changedHands } from './changed-hands.ts';
import { askedAgain, putBackSpec, secretNotKept, staleReads } from './lost.ts';
import { lateIds, pauseTakeoverWipe } from './pause.ts';
import { writeRefused } from './refused.ts';
import {
  allPutBack,
  answerLeftBehind,
  claimRemoved,
  conditionRenamed,
  journalWiped,
  putBackInFlight,
  releasedAndPutBack,
  statusPutBack,
} from './restored.ts';
import type { Scenario } from './schedule.ts';
import { everyFault, pairsOfActs, triples } from './systematic.ts';
import { copied, forged, moved, restored, statusCopied } from './tenants.ts';

/** All scenarios, in the order they run. */
export const scenarios: readonly Scenario[] = [
  pauseTakeoverWipe,
  lateIds,
  secretNotKept,
  staleReads,
  askedAgain,
  putBackSpec,
  statusPutBack,
  putBackInFlight,
  allPutBack,
  releasedAndPutBack,
  answerLeftBehind,
  journalWiped,
  conditionRenamed,
  changedHands,
  claimRemoved,
  writeRefused,
  forged,
  copied,
  statusCopied,
  moved,
  restored,
  everyFault,
  pairsOfActs,
  triples,
];

/** Returns the scenario of that name. @throws TypeError if there is none */
export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined)
    throw new TypeError(`--scenario must be one of ${scenarios.map((one) => one.name).join(', ')}; found "${name}"`);
  return found;
}
