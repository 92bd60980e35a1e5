/**
 * Compliance tests of integrations: `workspace-sequencer/test/compliance`.
 *
 * @packageDocumentation
 */
import { calmCases } from './calm-cases.ts';
import type { Case } from './case.ts';
import { changeCases } from './change-cases.ts';
import { coversCase } from './covers-case.ts';
import { crashCase } from './crash.ts';
import { driftCase } from './drift-case.ts';
import { failureCases } from './failure-cases.ts';
import { findCases } from './find-cases.ts';
import { handlesCase } from './handles-case.ts';
import { memoryCase } from './memory-case.ts';
import { outageCase } from './outage-case.ts';
import { provenanceCases } from './provenance-cases.ts';
import { reportOf } from './report.ts';
import { restraintCases } from './restraint-cases.ts';
import { rivalsCase } from './rivals.ts';
import { checkedSubject, type Subject, type TestFunction } from './subject.ts';
import { validateCase } from './validate-case.ts';

export type { CaseName } from './case-names.ts';
export type { FailureClass, Failures } from './failures.ts';
export { clusterFailures, httpFailures } from './failures.ts';
export type { Host, Limits, Party, Run, Subject, TestFunction, Thing } from './subject.ts';

const cases: readonly Case[] = [
  ...calmCases,
  handlesCase,
  validateCase,
  ...findCases,
  ...changeCases,
  outageCase,
  ...failureCases,
  ...restraintCases,
  driftCase,
  rivalsCase,
  crashCase,
  memoryCase,
  coversCase,
  ...provenanceCases,
];

/** Makes an assertion for AVA, which demands one in each test. */
const pass = (context: unknown): void => {
  if (typeof context === 'object' && context !== null && 'pass' in context && typeof context.pass === 'function')
    context.pass();
};

/** Reports a running test as not proved, by the means of its runner. */
function skipNow(context: unknown, why: string): void {
  const { skip, log } = (context ?? {}) as { skip?(why: string): void; log?(why: string): void };
  if (typeof skip === 'function') skip.call(context, `not proved: ${why}`);
  else if (typeof log === 'function') log.call(context, `not proved: ${why}`);
}

/** Registers a case that is not proved: skipped if the runner supports that, with the reason in the title. */
function skip(test: TestFunction, title: string): void {
  if (typeof test.skip === 'function') test.skip(title, async () => undefined);
  else test(title, async (context) => pass(context));
}

/**
 * Registers the compliance tests of an integration: lives without faults, failures of each call, and a crash of the sequencer before and after each
 * effect. Each life has a new cluster and a new third party; unless the subject demands real time, a minute of leases passes in milliseconds.
 * Cases that the subject excludes or lacks a declaration for are skipped, with the reason.
 *
 * @param test `test` of AVA, node:test, Vitest, or any function that registers a title and an async function
 * @throws TypeError naming the missing, invalid or unknown member of the subject
 */
export function testIntegration(test: TestFunction, subject: Subject): void {
  const checked = checkedSubject(subject);
  for (const { name, title, lacks, prove } of cases) {
    const why = checked.cannot?.[name] ?? lacks?.(checked);
    if (why !== undefined) skip(test, `${title} (not proved: ${why})`);
    else
      test(title, async (context) => {
        const unproved = await prove(checked).catch((error: unknown) => {
          throw reportOf(error, name, checked);
        });
        if (typeof unproved === 'string') skipNow(context, unproved);
        pass(context);
      });
  }
}
