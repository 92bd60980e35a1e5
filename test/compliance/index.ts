/**
 * Compliance tests of integrations: `workspace-sequencer/test/compliance`.
 *
 * @packageDocumentation
 */

import { answersCase } from './cases/answers-case.ts';
import { contendedCase } from './cases/contended-case.ts';
import { coversCase } from './cases/covers-case.ts';
import { crashCase } from './cases/crash-case.ts';
import { createCase } from './cases/create-case.ts';
import { deleteCase } from './cases/delete-case.ts';
import { driftCase } from './cases/drift-case.ts';
import { failureCases } from './cases/failure-cases.ts';
import { findCase } from './cases/find-case.ts';
import { handlesCase } from './cases/handles-case.ts';
import { happyPathCases } from './cases/happy-path-cases.ts';
import { memoryCase } from './cases/memory-case.ts';
import { noOpCases } from './cases/no-op-cases.ts';
import { observeCase } from './cases/observe-case.ts';
import { outageCase } from './cases/outage-case.ts';
import { provenanceCases } from './cases/provenance-cases.ts';
import { updateCase } from './cases/update-case.ts';
import { validateCase } from './cases/validate-case.ts';
import type { Case } from './scenario/case.ts';
import { reportOf } from './scenario/report.ts';
import { checkedSubject, type Subject, type TestFunction } from './subject/subject.ts';

export type { CaseName } from './subject/case-names.ts';
export type { FailureClass, Failures } from './subject/failures.ts';
export { clusterFailures, httpFailures } from './subject/failures.ts';
export type {
  IntegrationContext,
  RemoteObject,
  StartContext,
  Subject,
  TestFunction,
  ThirdParty,
  TimeLimits,
} from './subject/subject.ts';

const cases: readonly Case[] = [
  ...happyPathCases,
  handlesCase,
  validateCase,
  findCase,
  observeCase,
  createCase,
  updateCase,
  deleteCase,
  outageCase,
  answersCase,
  ...failureCases,
  ...noOpCases,
  driftCase,
  contendedCase,
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
 * Registers the compliance tests of an integration: scenarios without faults, failures of each call, and a crash of the sequencer before and after each
 * effect. Each scenario has a new cluster and a new third party; unless the subject demands real time, a minute of leases passes in milliseconds.
 * Cases that the subject excludes or lacks a declaration for are skipped, with the reason.
 *
 * @param test `test` of AVA, node:test, Vitest, or any function that registers a title and an async function
 * @throws TypeError naming the missing, invalid or unknown member of the subject
 * @example
 * ```ts
 * import { test } from 'node:test';
 * import { createMemoryDnsProvider, memoryDns } from 'workspace-sequencer/integrations/memory/dns';
 * import { DefiniteError } from 'workspace-sequencer/sdk';
 * import { testIntegration } from 'workspace-sequencer/test/compliance';
 *
 * const spec = (subdomain: string) => ({
 *   networking: {
 *     dns: { zone: 'example.com' },
 *     ingress: { className: 'nginx', rules: [{ name: 'web', subdomain, path: '/', component: 'web', network: 'http' }] },
 *   },
 * });
 *
 * testIntegration(test, {
 *   identity: 'name',
 *   spec: spec('www'),
 *   edited: spec('shop'),
 *   sameName: 'exclusive',
 *   failures: { definite: () => new DefiniteError('no'), ambiguous: () => new Error('reset') },
 *   start({ clock }) {
 *     const provider = createMemoryDnsProvider({ clock });
 *     return {
 *       integration: ({ through, random }) => memoryDns({ provider: through(provider), clock, random }),
 *       remote: () => provider.records().map(({ type, name, target }) => `${type} ${name} ${target}`),
 *     };
 *   },
 * });
 * ```
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
