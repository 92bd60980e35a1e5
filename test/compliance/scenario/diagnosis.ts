/** Diagnoses why a scenario failed. */

import { BusyError, ContractError, isRace, messageOf } from '../../../sdk/index.ts';
import type { Call } from '../observation/effect.ts';
import type { FunctionName } from '../observation/invocations.ts';
import type { Observations } from '../observation/observations.ts';
import { maxTurns } from '../observation/observed-integration.ts';
import { redacted } from '../subject/secret-forms.ts';
import { Finding, findingOf, isUsage } from './report.ts';
import type { Scenario } from './scenario.ts';

/** Advice by function, for errors without a fault. */
export const adviceByFunction: Readonly<Partial<Record<FunctionName, string>>> = {
  find: 'answer undefined for what is not there',
  findAll: 'answer an empty list where nothing is there',
  observe: 'answer undefined for what is not there',
  delete:
    'what is not there counts as deleted: return, do not throw; each step works on what an earlier attempt has left, and is repeated where that died between two',
  update: 'throw DefiniteError only where the third party says no',
  replaceMark: 'what bears the mark already is marked: return; throw DefiniteError only where the third party says no',
  create:
    'throw ExternalAlreadyExistsError where something of that name exists, DefiniteError where the third party says no',
  reconcile: 'what it throws is tried again, the same way',
  terminate:
    'it has to work with what is known, be it nothing, whatever the spec says by now: what is there is reported by controller.refs, and destroy knows it',
};

/** Functions that pass on errors of the functions that they call. */
const outer: ReadonlySet<FunctionName> = new Set(['reconcile', 'terminate']);

/** Messages of writes to a frozen object. */
const frozen = /object is not extensible|read only property|Cannot delete property/;

/** Messages about the result of a function of the integration. */
const aboutAnswers =
  /(the result|the id|id|state|ready|secret|slot|refs?\S*) must|what (the task|reconcile|terminate) returned/;

/** Returns advice for an error of a function that was thrown without a fault. */
function adviceOn(name: FunctionName, error: unknown): string | undefined {
  if (error instanceof TypeError && frozen.test(error.message))
    return 'what a function is handed is frozen, since others use it too: copy it first, as by structuredClone';
  if (error instanceof ContractError)
    return aboutAnswers.test(error.message)
      ? 'answer what the contract says, such as { id } of create, in plain JSON; a promise that is not awaited is not an answer'
      : 'the controller refuses that, and the message says what it takes';
  if (/is listed, but reading it says that it is not there/.test(messageOf(error)))
    return 'find and observe disagree: observe has to read the object of the id that create and find answer, and answers undefined only for what is gone, not for what has failed or was changed; what an id holds comes back from the journal as JSON, a number as a number and a text as a text';
  return adviceByFunction[name];
}

const likelyEnd =
  'terminate has to end in controller.destroy, or in a guard whose task answers Terminated, whatever its condition, its refs and its spec say, and whatever is there';

/** Likely causes by the beginning of the condition at which a scenario is stuck. */
const stuckIn: readonly (readonly [status: RegExp, likely: (scenario: Scenario) => string | undefined])[] = [
  [
    /Deleting, In Progress/,
    () =>
      'delete answered "deleting" each time: answer "gone", or nothing, once the object of that id is not there, and let what goes wrong out as an error',
  ],
  [
    /In Progress/,
    ({ record }) =>
      record.requeueAfter === undefined
        ? 'its condition is In Progress, and its last turn did not say when to come back: return requeueAfter(ms), or what ensure and destroy answer'
        : 'ready was never answered as true: see create and observe',
  ],
  [
    /Locked/,
    ({ record }) =>
      record.thrown.some(({ error }) => !(error instanceof BusyError) && !isRace(error))
        ? undefined
        : 'an attempt has not come to an end: each call has to end by its signal, and what was lost has to be found again',
  ],
  [
    /Unknown/,
    () => 'what became of an attempt cannot be reported: declare an identity with find, or a recover of the guard',
  ],
  [/Waiting/, () => 'ThrottledError means that the third party throttles: throw another error for another failure'],
  [
    /Deleting/,
    ({ record: { finalizers } }) =>
      finalizers.size === 0
        ? likelyEnd
        : `the workspace bears ${[...finalizers].join(', ')}, which the integration has set: terminate has to call controller.removeFinalizer at its end`,
  ],
  [
    /Initialized|Created/,
    () => 'reconcile does nothing about its condition: call controller.ensure, guard or updateCondition',
  ],
  [
    /Error/,
    ({ record }) =>
      record.thrown.some(({ name }) => name === 'reconcile' || name === 'terminate')
        ? undefined
        : 'what ensure, destroy or guard throws is swallowed, so that nothing is tried again: let it out of reconcile and terminate',
  ],
  [
    /^(?!Error)/,
    () => 'no function of it brings the condition to Completed: see what reconcile does once all is there',
  ],
];

/** Number of last errors by which a function is taken to be stuck. */
const maxBusy = 3;

/** Explains that the last turns left open what an attempt had begun, or that the last one did nothing; undefined where they did not. */
function givenUpIn({ record, condition }: Scenario): string | undefined {
  const last = record.thrown.slice(-maxBusy);
  const isBusy =
    last.length === maxBusy && last.every(({ name, error }) => outer.has(name) && error instanceof BusyError);
  if (isBusy && /^(Deleting, )?Locked/.test(condition))
    return `${last.at(-1)?.name} does not take up an attempt whose outcome is not known, which guard, ensure and destroy do, and updateCondition does not: ${likelyEnd}`;
  if (record.quiet === 'terminate' && /^Deleting, (Locked|Unknown|Error)/.test(condition))
    return `terminate answers, and its condition is not Terminated: ${likelyEnd}`;
  return record.hasGivenUp && condition.startsWith('Error')
    ? 'reconcile does nothing once its condition is Error: an Error is not an end, and what was refused may be allowed by now; whatever its condition says, call ensure or guard, which look at what is there'
    : undefined;
}

const callText = ({ name, by }: Call): string => (by === undefined ? name : `${name} in ${by}`);

const secretsOf = ({ subject, record }: Scenario): readonly string[] => [...(subject.secrets ?? []), ...record.secrets];

/** Formats the calls of a scenario that failed or never settled: method, path and query, function and result. Redacted. */
function failedCallsOf(scenario: Scenario): readonly string[] {
  const failed = scenario.effects.calls.filter(({ end = '' }) => end !== 'answered' && !/^HTTP [23]\d\d$/.test(end));
  return failed.slice(-3).map((call) => {
    const who = call.fault === undefined ? '' : ', by the kit';
    return redacted(`${callText(call)}: ${call.end ?? 'no answer'}${who}`, secretsOf(scenario));
  });
}

/** Returns the last error with the function that threw it first, since `reconcile` and `terminate` pass on errors of others. */
function causeIn({ record: { thrown } }: Scenario): Observations['thrown'][number] | undefined {
  const last = thrown.findLast(({ error }) => !(error instanceof BusyError) && !isRace(error));
  const message = last && messageOf(last.error);
  return thrown.findLast(({ name, error }) => !outer.has(name) && message?.includes(messageOf(error))) ?? last;
}

/** Reports whether a scenario has completed, or never comes to rest, so that its record does not show why. */
const hasNoExplanation = ({ record, condition }: Scenario): boolean =>
  /^(Completed|Gone|$)/.test(condition) || record.turns > maxTurns;

/** Explains what the last run still waits for; undefined when all has settled. */
function unsettledIn(scenario: Scenario): string | undefined {
  if (hasNoExplanation(scenario)) return undefined;
  const { effects, record, run } = scenario;
  const waiting = effects.calls.findLast((call) => call.end === undefined && call.run === run);
  const within = [...record.pendingCalls].findLast(([, begun]) => begun === run)?.[0];
  if (waiting !== undefined)
    return `${callText(waiting)} has not settled: pass it context.signal, and let it end when that aborts`;
  return (
    within &&
    `${within.name} has not settled, and no call of it is under way: what it waits for has to end when context.signal aborts; a lock is released in finally, also where a call throws`
  );
}

const hasFault = ({ effects }: Scenario): boolean => effects.calls.some(({ fault }) => fault !== undefined);

/** Explains an error of a function, with advice; undefined where an injected fault may be the cause, or there is no advice. */
function thrownIn(scenario: Scenario): string | undefined {
  const thrown = causeIn(scenario);
  if (thrown === undefined) return undefined;
  const message = messageOf(thrown.error);
  if (hasFault(scenario) && !(thrown.isUnbroken && scenario.condition.includes(message))) return undefined;
  const advice = adviceOn(thrown.name, thrown.error);
  return advice && redacted(`${thrown.name} threw "${message}": ${advice}`, secretsOf(scenario));
}

/** Explains, with advice, why a scenario did not complete where all has settled, as far as its record shows. */
function diagnosisOf(scenario: Scenario): readonly string[] {
  if (hasNoExplanation(scenario)) return [];
  const why = givenUpIn(scenario) ?? stuckIn.find(([status]) => status.test(scenario.condition))?.[1](scenario);
  return [thrownIn(scenario), why].filter((one) => one !== undefined);
}

/** @throws Finding with the recorded mistakes of a scenario and, where no fault was injected, what the controller has refused */
export function expectNoMistake(scenario: Scenario): void {
  const { record } = scenario;
  const mistakes = [...record.mistakes, ...(hasFault(scenario) ? [] : record.refused)];
  if (mistakes.length > 0) throw new Finding(mistakes.join('\n'), mistakes);
}

/** Adds the diagnosis of a scenario to a thrown error. */
export function withDiagnosis(error: unknown, scenario: Scenario): unknown {
  if (isUsage(error)) return error;
  const finding = findingOf(error);
  finding.message = redacted(finding.message, secretsOf(scenario));
  const { mistakes, suspicions } = scenario.record;
  const unsettled = unsettledIn(scenario);
  const likely = new Set([
    ...mistakes,
    ...suspicions,
    ...(unsettled === undefined ? [] : [unsettled]),
    ...finding.likely,
    ...(unsettled === undefined ? diagnosisOf(scenario) : []),
  ]);
  finding.likely.clear();
  for (const one of likely) finding.likely.add(one);
  for (const call of failedCallsOf(scenario)) finding.failedCalls.add(call);
  return finding;
}
