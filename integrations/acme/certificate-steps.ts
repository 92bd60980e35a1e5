/** Steps of the reconciliation of a certificate; all of them are idempotent. */

import { type ProviderController, type Ref, type Result, timestamp } from '../../sdk/index.ts';
import { type IssuedChain, issue, issuedRecord, revokeAll } from './issuance.ts';
import type { CheckedAcmeOptions } from './options.ts';
import { digestOf, type IssuedRecord, type OrderRecord, ordersOf } from './order-records.ts';
import { type NameClaim, typeOfChallenge } from './proof.ts';
import { restored } from './renewal.ts';
import { dropOtherKeys, keptKey, tlsSecretName, writeCertificate } from './tls-secret.ts';

/** Workspace with its desired certificate. */
export interface CertificateTask {
  readonly controller: ProviderController;
  readonly options: CheckedAcmeOptions;
  readonly names: readonly string[];
}

/** ms between two polls of a pending order. */
export const pollInterval = 10_000;

const asRefs = (records: readonly OrderRecord[]): readonly Ref[] => records as readonly object[] as readonly Ref[];
const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
/** Returns the recorded orders. */
export const ordersIn = ({ refs }: ProviderController): readonly OrderRecord[] => ordersOf(refs);
/** Returns the orders that stay recorded along with a new one: those that may have a certificate, where it is to be revoked; else the current one. */
const keptBeside = ({ controller, options, names }: CertificateTask): readonly OrderRecord[] =>
  ordersIn(controller).filter(({ id, issued, failed, names: of }) =>
    options.revoke
      ? failed === undefined && (issued !== undefined || options.isOfAuthority(id))
      : issued !== undefined && of === digestOf(names),
  );

/** Returns the recorded orders that can be carried on: those whose challenges are of the type that is used now, and of the present authority unless they have ended. */
export const usableOrdersIn = ({ controller, options }: Pick<CertificateTask, 'controller' | 'options'>) =>
  ordersIn(controller).filter(
    ({ id, issued, failed, challenges = [] }) =>
      (issued !== undefined || failed !== undefined || options.isOfAuthority(id)) &&
      challenges.every((one) => typeOfChallenge(one) === options.proof.type),
  );

/** Minimum and maximum ms between two checks of a blocker. */
const pollDelays = { first: 1_000, last: 300_000 };

/** Reports a blocker. @returns the ms until the next check: the age of the blocker, within `pollDelays` */
export async function waiting(
  { controller, options }: CertificateTask,
  { status, reason }: NonNullable<NameClaim>,
): Promise<Result> {
  await controller.updateCondition(status, reason);
  const waited = Math.abs(options.clock.now() - Date.parse(controller.condition.lastTransitionTime));
  return { requeueAfter: Math.min(Math.max(waited || 0, pollDelays.first), pollDelays.last) };
}

/** Creates an order. */
export async function order(task: CertificateTask): Promise<void> {
  const { controller, options, names } = task;
  const kept = keptBeside(task);
  await controller.guard(
    `ordering a certificate of ${listed(names)}`,
    async ({ signal }) => {
      const { url, challenges } = await options.authority.order({ names, signal });
      const record: OrderRecord = { id: url, names: digestOf(names), challenges };
      const reason = `ordered a certificate of ${listed(names)}; ${challenges.length} names to prove by ${options.proof.type}`;
      return { status: 'In Progress', reason, refs: asRefs([...kept, record]) };
    },
    { op: 'create', identity: 'name' }, // an order whose URL was lost is never finalized, and expires
  );
}

/** Reports a failed order until its names may be ordered again. */
export async function rest({ controller, options }: CertificateTask, reason: string, wait: number): Promise<Result> {
  await options.proof.show(controller, []);
  const valid = ordersIn(controller).findLast(({ issued }) => issued !== undefined)?.issued;
  const present = valid === undefined ? '' : `; the present one is valid until ${valid.notAfter}`;
  await controller.updateCondition('Error', `${reason}${present}`);
  return { requeueAfter: wait };
}

/** Completes a proved order, and records its result. @returns the certificate, once it is issued */
async function issued(task: CertificateTask, record: OrderRecord): Promise<IssuedChain | undefined> {
  const { controller, options, names } = task;
  const key = await keptKey(controller, record);
  const others = ordersIn(controller).filter(({ id }) => id !== record.id);
  let chain: IssuedChain | undefined;
  await controller.guard(
    `having the certificate of ${listed(names)} issued`,
    async ({ signal }) => {
      const { authority, clock, revoke } = options;
      const issuance = await issue({ authority, record, names, key, clock, signal });
      if (issuance.kind === 'pending')
        return {
          status: 'In Progress',
          reason: `waiting for the authority to validate ${listed(names)}`,
          refs: asRefs([...others, record]),
        };
      if (issuance.kind === 'failed') {
        const reason = `no certificate of ${listed(names)}: ${issuance.reason}`.slice(0, 800);
        const failed = { ...record, failed: { at: timestamp(clock.now()), reason } };
        return { status: 'Error', reason, refs: asRefs([...others, failed]) };
      }
      chain = issuance;
      const reason = `a certificate of ${listed(names)} was issued`;
      return {
        status: 'In Progress',
        reason,
        refs: asRefs([...(revoke ? others : []), issuedRecord(record, issuance.leaf)]),
      };
    },
    { op: 'update', identity: 'name' }, // each step first reads the order
  );
  if (chain !== undefined) await writeCertificate(controller, chain.chain, key);
  return chain;
}

/** Requests the validation of an order's challenges, once their responses are readable. */
export async function answerChallenges(task: CertificateTask, pending: OrderRecord): Promise<Result | undefined> {
  const { controller } = task;
  const { proof } = task.options;
  const { challenges = [] } = pending;
  await proof.show(controller, challenges);
  const claim = proof.claimOf(controller.workspace, task.names);
  if (claim !== undefined) return waiting(task, claim);
  const missing = await proof.missing(controller, challenges);
  if (missing !== undefined) return waiting(task, { status: 'Waiting', reason: missing });
  return (await issued(task, pending)) === undefined && ordersIn(controller).at(-1)?.failed === undefined
    ? { requeueAfter: pollInterval }
    : undefined;
}

/** Revokes or forgets unused certificates. */
async function revokeOthers({ controller, options }: CertificateTask, current: OrderRecord): Promise<void> {
  const others = ordersIn(controller).filter(({ id }) => id !== current.id);
  if (others.length === 0 || controller.policy === 'orphan') return;
  await controller.guard(
    'revoking former certificates',
    async ({ signal }) => {
      if (options.revoke) await revokeAll({ ...options, signal }, others);
      return { status: 'In Progress', reason: 'former certificates were revoked', refs: asRefs([current]) };
    },
    { op: 'update', identity: 'name' },
  );
}

/** Updates the Secret, and reports completion. @returns undefined when another certificate is needed */
export async function keep(
  task: CertificateTask,
  current: OrderRecord,
  { fingerprint, notAfter, renewAt, renewalId }: IssuedRecord,
): Promise<Result | undefined> {
  const { controller, options, names } = task;
  const { uid = '' } = controller.workspace.metadata;
  if (!(await restored(task, current, fingerprint))) return undefined;
  await options.proof.show(controller, []);
  await revokeOthers(task, current);
  if (controller.condition.status !== 'Completed') await dropOtherKeys(controller, current);
  const name = tlsSecretName(controller);
  const keyIn = (key: string) => ({ secretKeyRef: { name, key } });
  await controller.setOutputs({ secretName: name, notAfter, certificate: keyIn('tls.crt'), key: keyIn('tls.key') });
  await controller.updateCondition('Completed', `certificate of ${listed(names)} until ${notAfter}, in Secret ${name}`);
  const untilRenewalCheck = renewalId === undefined ? undefined : options.renewals.wait(uid);
  const waits = [Date.parse(renewAt) - options.clock.now(), options.driftSchedule.wait(uid), untilRenewalCheck];
  return { requeueAfter: Math.max(0, Math.min(2 ** 31 - 1, ...waits.filter((wait) => wait !== undefined))) };
}
