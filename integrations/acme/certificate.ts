/** ACME integration: a TLS certificate per workspace. */

import {
  defineIntegration,
  type Integration,
  type OutputDeclarations,
  Pod,
  type ProviderController,
  type Result,
  Service,
  secretsRule,
} from '../../sdk/index.ts';
import {
  answerChallenges,
  type CertificateTask,
  keep,
  order,
  ordersIn,
  pollInterval,
  rest,
  usableOrdersIn,
  waiting,
} from './certificate-steps.ts';
import { revokeAll } from './issuance.ts';
import { type AcmeCertificateOptions, type CheckedAcmeOptions, checkedAcmeOptions } from './options.ts';
import { digestOf, nextStep, type OrderRecord, ordersOf } from './order-records.ts';
import { isRenewalDue } from './renewal.ts';
import { asksForCertificate, certificateMember, certificateNames, validateCertificate } from './settings.ts';
import { deleteSecrets } from './tls-secret.ts';

export type { ExternalAccount } from './account-key.ts';
export type { ChallengeType } from './authority.ts';
export type { PublishedDns } from './challenge-records.ts';
export type { ServedRoutes } from './http-proof.ts';
export type { AcmeCertificateOptions } from './options.ts';
export type { NameClaim } from './proof.ts';
export type { ResponderOptions } from './proof-options.ts';

const outputs: OutputDeclarations = {
  secretName: { description: 'Name of the Secret of type kubernetes.io/tls.' },
  notAfter: { description: 'End of the certificate’s validity, such as 2030-01-31T12:00:00Z.' },
  certificate: { description: 'Certificate with its chain, as PEM.', secret: true },
  key: { description: 'Private key, as PEM.', secret: true },
};

/** Maximum number of steps of one walk: keep, order, prove, keep. */
const maxSteps = 5;

/** Executes a step; returns the outcome to wait for, if any. */
async function carryOut(
  task: CertificateTask,
  next: Exclude<ReturnType<typeof nextStep>, { kind: 'rest' }>,
): Promise<Result | undefined> {
  if (next.kind === 'prove') return answerChallenges(task, next.pending);
  if (next.kind === 'keep') return keep(task, next.current, next.issued);
  const { controller, options, names } = task;
  const claim = options.proof.claimOf(controller.workspace, names);
  await options.proof.show(controller, []);
  if (claim !== undefined) return waiting(task, claim);
  await order(task);
  return undefined;
}

async function reconcile(controller: ProviderController, options: CheckedAcmeOptions): Promise<Result | undefined> {
  const names = certificateNames(controller.workspace);
  if (typeof names === 'string') {
    await options.proof.show(controller, []);
    await controller.updateCondition('Error', names);
    return undefined;
  }
  const task: CertificateTask = { controller, options, names };
  const due = new Set(await isRenewalDue(task, ordersIn(controller)));
  for (let count = 0; count < maxSteps; count += 1) {
    const now = options.clock.now();
    const isDue = ({ id, issued }: OrderRecord) => due.has(id) || now >= Date.parse(issued?.renewAt ?? '');
    const next = nextStep(usableOrdersIn(task), {
      wanted: digestOf(names),
      isDue,
      now,
      retryInterval: options.retryInterval,
    });
    if (next.kind === 'rest') return rest(task, next.reason, next.until - now);
    const result = await carryOut(task, next);
    if (result !== undefined) return result;
    if (next.kind === 'keep') due.add(next.current.id);
  }
  return { requeueAfter: pollInterval };
}

/** Removes the challenges' records and the Secrets, and revokes the certificates if enabled. */
async function terminate(controller: ProviderController, options: CheckedAcmeOptions): Promise<void> {
  const { uid = '' } = controller.workspace.metadata;
  options.driftSchedule.forget(uid);
  options.renewals.forget(uid);
  await options.proof.show(controller, []);
  await deleteSecrets(controller);
  const entry = controller.workspace.status?.guards?.[controller.condition.type];
  if (entry?.phase === 'none' || entry?.phase === 'gone')
    return controller.updateCondition('Terminated', 'there is no certificate');
  await controller.guard(
    'giving the certificate up',
    async ({ signal, refs }) => {
      if (options.revoke) await revokeAll({ ...options, signal }, ordersOf(refs));
      return {
        status: 'Terminated',
        reason: options.revoke ? 'the certificate was revoked' : 'the certificate was given up',
        refs: [],
      };
    },
    { op: 'delete', identity: 'name' },
  );
}

/**
 * Keeps a TLS certificate for each workspace with a `spec.integrations['acme-certificate']`, from an authority with the ACME protocol (RFC 8555), in the
 * Secret `<workspace>-certificate`. Names are proved by DNS (dns-01): the records go to `status.dns`, and the registered DNS integration publishes them;
 * or over HTTP (http-01): the routes are written to `status.routes`, and the registered Ingress integration creates them.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function acmeCertificate(options: AcmeCertificateOptions): Integration {
  const checked = checkedAcmeOptions(options);
  const { accountKey, externalAccount } = options;
  const isByHttp = checked.proof.type === 'http-01';
  return defineIntegration({
    name: certificateMember,
    condition: 'Certificate',
    outputs,
    secrets: [accountKey, ...(externalAccount === undefined ? [] : [externalAccount.hmacKey])],
    endpoints: checked.endpoints,
    owns: isByHttp ? [Pod, Service] : [],
    permissions: [
      { ...secretsRule, verbs: [...secretsRule.verbs, 'delete'] },
      ...(isByHttp
        ? [{ apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list', 'create', 'delete'] }]
        : []),
    ],
    limits: checked.limits,
    handles: asksForCertificate,
    validate: validateCertificate,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, checked),
      terminate: () => terminate(controller, checked),
    }),
  });
}
