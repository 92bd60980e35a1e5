/** Checks of `sequencer doctor`, against a cluster. They change nothing. */

import { statusGaps } from '../../../sdk/host/index.ts';
import {
  type Client,
  CustomResourceDefinitionKind,
  type Kind,
  Lease,
  messageOf,
  NotFoundError,
  resourceOf,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import { accountName, instanceName, isOfClass, type OperatorInstance } from '../../run/operator-instance.ts';
import type { Access } from '../../run/preflight/access.ts';
import { questionsOf, requireAccess } from '../../run/preflight/access-review.ts';
import { policyFindings } from './annotation-policies.ts';
import { configFindings } from './configs.ts';
import { type Finding, logsOf } from './finding.ts';
import { type RunningOptions, runningOptions } from './running-options.ts';
import { stuckIn } from './stuck.ts';
import { webhookFindings } from './webhook.ts';

/** Operator to check. */
export interface CheckTarget extends OperatorInstance {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Namespace of its workspaces. @default all */
  readonly namespace: string | undefined;
  readonly operatorNamespace: string;
  /** Returns the permissions that it needs. */
  readonly access: (running: RunningOptions) => readonly Access[];
  /** Kinds whose definitions the operator needs. */
  readonly kinds: readonly Kind[];
  /** Names of the config's integrations. */
  readonly registered: ReadonlySet<string>;
  /** Integration types that the config opens to tenants. @default none */
  readonly types?: readonly string[];
  /** True in a pod of the operator, which checks its own rights. */
  readonly isOperator: boolean;
  /** Wall clock ms of this machine. */
  now(): number;
  /** Wall clocks in ms of the server and of this machine at the last response; undefined without a Date header. */
  times(): { readonly server: number; readonly here: number } | undefined;
  /** Warning headers of all responses so far. */
  warnings(): readonly string[];
}

/** Tolerated clock difference in ms: the header has seconds, and responses take time. */
const maxSkew = 10_000;

/** Returns a finding for an unexpected error of a check. */
const uncheckedFinding = (check: string, error: unknown): Finding => ({
  check,
  status: 'unknown',
  detail: error instanceof NotFoundError ? 'the CustomResourceDefinition is not installed' : messageOf(error),
});

async function connection({ client, signal }: CheckTarget): Promise<Finding> {
  const { gitVersion } = (await client.raw('GET', '/version', undefined, { signal, deadline: 10_000 })) as {
    readonly gitVersion?: string;
  };
  return { check: 'connection', status: 'ok', detail: `${gitVersion ?? 'unknown version'}, ${client.server}` };
}

function clock({ times }: CheckTarget): Finding {
  const both = times();
  if (both === undefined) return { check: 'clock', status: 'unknown', detail: 'the server sends no Date header' };
  const apart = Math.abs(both.server - both.here);
  const seconds = Math.round(apart / 1000);
  const detail = `${seconds} s apart from the server’s`;
  if (apart <= maxSkew) return { check: 'clock', status: 'ok', detail };
  return { check: 'clock', status: 'problem', detail, next: 'synchronize the clock of this machine, or the server’s' };
}

/** Describes the problem of a kind's definition; undefined without one. */
async function definitionProblem({ client, signal }: CheckTarget, kind: Kind): Promise<string | undefined> {
  const name = resourceOf(kind);
  try {
    const found = await client.get(CustomResourceDefinitionKind, { name }, { signal });
    const { spec } = (await kind.crd?.())!;
    const served = found.spec.versions.find((version) => version.name === kind.version && version.served);
    const gaps = statusGaps(spec.versions[0]!, served);
    if (gaps.length === 0) return undefined;
    return `${name} does not keep what this release writes: ${gaps.slice(0, 3).join('; ')}`;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return `${name} is not installed`;
  }
}

async function definition(target: CheckTarget): Promise<Finding> {
  for (const kind of target.kinds) {
    const detail = await definitionProblem(target, kind);
    const next = 'sequencer crds | kubectl apply -f -';
    if (detail !== undefined) return { check: 'definition', status: 'problem', detail, next };
  }
  const detail = target.kinds.map((kind) => `${resourceOf(kind)} ${kind.version}`).join(', ');
  return { check: 'definition', status: 'ok', detail };
}

async function rights(target: CheckTarget, running: RunningOptions): Promise<Finding> {
  const { client, signal, isOperator, operatorNamespace } = target;
  const access = target.access(running);
  const account = `system:serviceaccount:${operatorNamespace}:${accountName(target)}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${operatorNamespace}`, 'system:authenticated'];
  const subject = isOperator ? undefined : { user: account, groups };
  const detail = `${access.length} rules, of ${isOperator ? 'this account' : account}`;
  try {
    const granted = await requireAccess(client, questionsOf(access, target), { signal, subject });
    if (granted) return { check: 'rights', status: 'ok', detail };
    return { check: 'rights', status: 'unknown', detail: 'access reviews are forbidden, or not served' };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const next = 'sequencer manifests | kubectl apply -f -, with the options that it was installed by';
    return { check: 'rights', status: 'problem', detail: error.message, next };
  }
}

async function leader(target: CheckTarget): Promise<Finding> {
  const { client, signal, operatorNamespace: namespace } = target;
  const key = { namespace, name: instanceName(target) };
  const look = `kubectl -n ${namespace} get pods; ${logsOf(key)}`;
  const problem = (detail: string): Finding => ({ check: 'leader', status: 'problem', detail, next: look });
  try {
    const { spec } = await client.get(Lease, key, { signal });
    const { holderIdentity = '', renewTime = '', leaseDurationSeconds = 0 } = spec ?? {};
    if (holderIdentity === '') return problem('no replica leads: the Lease has no holder');
    const renewed = Date.parse(String(renewTime));
    if (Number.isNaN(renewed))
      return problem(`${holderIdentity} holds the Lease, but spec.renewTime is not set: it counts as expired`);
    const age = Math.max(0, Math.round((serverNow(target) - renewed) / 1000));
    const detail = `${holderIdentity}, renewed ${age} s ago`;
    return age > leaseDurationSeconds
      ? problem(`${detail}: it has expired`)
      : { check: 'leader', status: 'ok', detail };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return problem(
      `there is no Lease ${key.name} in namespace ${namespace}: no operator with --leader-elect has run; with --shards each replica has a Lease of its own`,
    );
  }
}

/** Returns the wall clock of the server, as far as it is known. */
function serverNow({ now, times }: CheckTarget): number {
  const both = times();
  return both === undefined ? now() : now() + both.server - both.here;
}

async function workspaces(target: CheckTarget): Promise<readonly Finding[]> {
  const { client, signal, namespace, selector, className, registered, types, operatorNamespace } = target;
  const { items } = await client.list(Workspace, {
    signal,
    ...(namespace !== undefined && { namespace }),
    ...(selector !== undefined && { labels: selector }),
  });
  const own = items.filter((one) => isOfClass(one, className));
  return stuckIn(own, { now: serverNow(target), registered, operatorNamespace, ...(types && { types }) });
}

/** Runs all checks, or only the first one if the server does not respond. */
export async function runChecks(target: CheckTarget): Promise<readonly Finding[]> {
  try {
    const first = await connection(target);
    const { client, operatorNamespace, signal } = target;
    const key = { namespace: operatorNamespace, name: instanceName(target) };
    const running = await runningOptions(client, key, signal);
    const isServed = running.webhooks;
    const rest = await Promise.all([
      definition(target).catch((error: unknown) => uncheckedFinding('definition', error)),
      rights(target, running).catch((error: unknown) => uncheckedFinding('rights', error)),
      leader(target).catch((error: unknown) => uncheckedFinding('leader', error)),
      webhookFindings({ ...target, isServed, now: serverNow(target) }).catch((error: unknown) =>
        uncheckedFinding('webhook', error),
      ),
      policyFindings(target),
      configFindings(
        target,
        target.kinds.filter(({ kind }) => kind !== Workspace.kind),
      ).catch((error: unknown) => [uncheckedFinding('configs', error)]),
      workspaces(target).catch((error: unknown) => [uncheckedFinding('workspaces', error)]),
    ]);
    signal.throwIfAborted();
    return [first, clock(target), ...rest.flat()];
  } catch (error) {
    target.signal.throwIfAborted();
    const next = 'check --kubeconfig and --context, and that the server runs';
    return [{ check: 'connection', status: 'problem', detail: messageOf(error), next }];
  }
}
