/** Publishes the DNS records of workspaces at a third party. */

import type { Outcome, Provider, ProviderController, Ref, Result, Workspace } from '../../sdk/index.ts';
import { DryRunStop, isDeleting, messageOf, ThrottledError } from '../../sdk/index.ts';
import type { DriftSchedule } from '../drift-schedule.ts';
import { type DnsNameRule, nameRefusal } from './allowed-names.ts';
import type { DnsBackend } from './backend.ts';
import { type DnsDrift, dnsDrift, dnsQueriesOf } from './drift.ts';
import { propagationConditionOf } from './propagation-condition.ts';
import { type DnsChange, type DnsName, type DnsRecord, dnsChanges, type KnownDns, wantedDns } from './records.ts';

/** Reports whether a workspace requests DNS. */
export const wantsDns = (workspace: Workspace): boolean => workspace.spec.networking?.dns !== undefined;

/** Reports whether the journal was lost, so that both recorded and desired records may or may not be published. */
function isLost({ workspace, condition }: ProviderController): boolean {
  const entry = workspace.status?.guards?.[condition.type];
  return entry === undefined || entry.lost === true;
}

/**
 * Returns the known records (the refs) and the doubtful names: those of an unresolved attempt, from the intent's input; after a lost journal, all.
 */
function knownDns(controller: ProviderController, wanted: readonly DnsRecord[]): KnownDns {
  const { workspace, condition } = controller;
  const records = controller.refs as readonly unknown[] as readonly DnsRecord[];
  const entry = workspace.status?.guards?.[condition.type];
  if (!isHeldBack(controller) && isLost(controller)) return { records, doubtful: [...records, ...wanted] };
  const settled = entry === undefined || entry.phase === 'done' || entry.phase === 'gone' || entry.phase === 'none';
  return { records, doubtful: settled ? [] : ((entry.input?.names ?? []) as readonly DnsName[]) };
}

const asRefs = (records: readonly DnsRecord[]): readonly Ref[] => records.map((record) => ({ ...record }));

const opOf = (changes: readonly DnsChange[]): DnsChange['op'] =>
  changes.length > 0 && changes.every(({ op }) => op === changes[0]!.op) ? changes[0]!.op : 'update';

const fewOf = (all: readonly string[]): string =>
  all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');

const listed = (places: readonly DnsName[]): string => fewOf([...new Set(places.map(({ name }) => name))]);

const toldOf = (drift: readonly DnsDrift[]): string =>
  fewOf(drift.map(({ change: { name }, why }) => `${name}: ${why}`));

const uidOf = ({ workspace }: ProviderController): string => workspace.metadata.uid ?? '';

/** Reports whether the policy forbids changes: differences are only reported, and each walk looks, as with `controller.ensure`. */
const isHeldBack = ({ policy }: ProviderController): boolean => policy === 'plan' || policy === 'observeOnly';

/** Settings of one integration, common to all workspaces. */
export interface DnsSetup {
  readonly backend: DnsBackend;
  /** Rule for the names that workspaces may publish. */
  readonly allows: DnsNameRule;
  readonly driftSchedule: DriftSchedule;
}

/** {@link DnsSetup} with the controller of one workspace. */
interface DnsContext extends DnsSetup {
  readonly controller: ProviderController;
}

/**
 * Returns the differences at the third party; undefined without a look: it is not due, or an attempt must be resolved first. @throws the look's error
 */
async function driftOf(
  { controller, backend, driftSchedule }: DnsContext,
  wanted: readonly DnsRecord[],
  known: KnownDns,
): Promise<readonly DnsDrift[] | undefined> {
  const uid = uidOf(controller);
  const wait = driftSchedule.wait(uid);
  const places = dnsQueriesOf(isHeldBack(controller) ? [...wanted, ...known.records] : wanted);
  if (backend.observe === undefined || wait === undefined || places.length === 0 || known.doubtful.length > 0)
    return undefined;
  if (wait > 0 && !isHeldBack(controller)) return undefined;
  const seen = await driftSchedule.run(uid, controller.signal, async (signal) => backend.observe?.(places, { signal }));
  return dnsDrift({ wanted, observed: seen ?? [], owner: uid, former: controller.formerUids, ttl: backend.ttl });
}

/**
 * Reports a failed look by an event and leaves the condition unchanged, since it says nothing about the records. Where the policy allows only looks
 * and the condition has no status yet, throws an error.
 */
function observeFailed({ controller, driftSchedule }: DnsContext, error: unknown): undefined {
  const message = `published records could not be read: ${messageOf(error)}`;
  if (!isHeldBack(controller)) return controller.event('Warning', 'LookFailed', message) as undefined;
  if (controller.condition.status === 'Initialized') throw error;
  throw new ThrottledError(message, driftSchedule.wait(uidOf(controller)) ?? 0, { cause: error });
}

/** Pending changes: to reach the desired state, and to correct drift. */
interface DnsWork {
  readonly changes: readonly DnsChange[];
  readonly drift: readonly DnsDrift[];
}

/** Selects the changes that the policy allows: `observeOnly` reports drift alone, `orphan` removes nothing. Pure. */
function workOf(
  policy: ProviderController['policy'],
  changes: readonly DnsChange[],
  drift: readonly DnsDrift[] | undefined,
): DnsWork {
  if (policy === 'observeOnly' && drift !== undefined) return { changes: [], drift };
  const names = new Set(changes.map(({ name }) => name));
  const isOpen = ({ change }: DnsDrift): boolean => !names.has(change.name);
  const may = ({ onlyMore }: DnsDrift): boolean => !(onlyMore && policy === 'orphan');
  return { changes, drift: (drift ?? []).filter((one) => isOpen(one) && may(one)) };
}

const reasonOf = ({ changes, drift }: DnsWork, op: DnsChange['op']): string =>
  [
    ...(changes.length > 0 || drift.length === 0 ? [`${verbs[op]} ${listed(changes) || 'nothing'}`] : []),
    ...(drift.length > 0 ? [`correcting ${toldOf(drift)}`] : []),
  ].join('; ');

const verbs = { create: 'publishing', update: 'changing', delete: 'removing' } as const;

/** Executes all changes in one guard, whose input journals their names before the first request. @returns ms until the next check, if one is needed */
async function carryOut(context: DnsContext, work: DnsWork, outcome: Outcome): Promise<number | undefined> {
  const { controller, backend } = context;
  let wait: number | undefined;
  const changes = [...work.changes, ...work.drift.map(({ change }) => change)];
  const op = outcome.status === 'Terminated' ? 'delete' : opOf(changes);
  const names = changes.map(({ zone, name }) => ({ zone, name }));
  await controller.guard(
    reasonOf(work, outcome.status === 'Terminated' ? 'delete' : opOf(work.changes)),
    async ({ signal }) => {
      const remarks: string[] = [];
      const request = { owner: uidOf(controller), former: controller.formerUids, signal };
      for (const change of changes) remarks.push((await backend.apply(change, request)) ?? '');
      const reason = [outcome.reason, ...remarks.filter((remark) => remark !== '')].join('; ');
      if (outcome.status !== 'Completed') return { ...outcome, reason };
      const published = await propagationConditionOf(backend, { owner: uidOf(controller), reason, signal });
      wait = published.wait;
      return { ...outcome, status: published.status, reason: published.reason };
    },
    { op, identity: 'name', input: { names } },
  );
  return wait;
}

async function setHost(controller: ProviderController, host: string | undefined): Promise<void> {
  if (controller.workspace.status?.host === host || isDeleting(controller.workspace)) return;
  await controller.update((status) => {
    if (host === undefined) delete status.host;
    else status.host = host;
  });
}

/** Publishes the desired records; changes that the policy forbids are reported and checked again later. */
async function publish(context: DnsContext, wanted: readonly DnsRecord[]): Promise<number | undefined> {
  const { controller } = context;
  const known = knownDns(controller, wanted);
  const drift = await driftOf(context, wanted, known).catch((error) => observeFailed(context, error));
  const work = workOf(controller.policy, dnsChanges(wanted, known), drift);
  const reason = wanted.length === 0 ? 'nothing to publish' : `published ${listed(wanted)}`;
  const isLeft = ({ op }: DnsChange): boolean => op === 'delete' && controller.policy === 'orphan';
  const [stays, changes] = [work.changes.filter(isLeft), work.changes.filter((change) => !isLeft(change))];
  if (work.drift.length > 0) controller.event('Warning', 'Drifted', toldOf(work.drift));
  let wait: number | undefined;
  if (work.changes.length + work.drift.length === 0) {
    const published = await propagationConditionOf(context.backend, {
      owner: uidOf(controller),
      reason,
      signal: controller.signal,
    });
    wait = published.wait;
    await controller.updateCondition(published.status, published.reason);
  } else wait = await carryOut(context, { ...work, changes }, { status: 'Completed', reason, refs: asRefs(wanted) });
  if (stays.length > 0)
    controller.event('Normal', 'Orphaned', `${listed(stays)}: no longer desired, and left unchanged`);
  return wait;
}

/**
 * Creates the provider of a workspace's DNS records. Each round is one guard: its input journals the names before the first request, so that they are
 * known after a crash without a checkpoint for each. It looks at the published records periodically and corrects drift.
 */
export function dnsProvider(controller: ProviderController, setup: DnsSetup): Provider {
  const { backend, driftSchedule } = setup;
  const context: DnsContext = { ...setup, controller };
  const again = (settling?: number): Result => {
    const canLook = backend.observe !== undefined && !isLost(controller);
    const look = canLook ? driftSchedule.wait(uidOf(controller)) : undefined;
    const waits = [look, settling].filter((wait) => wait !== undefined);
    return waits.length === 0 ? {} : { requeueAfter: Math.min(...waits) };
  };
  return {
    async reconcile() {
      const wanted = wantedDns(controller.workspace, backend.target);
      if (wanted.kind === 'problem') {
        await controller.updateCondition(wanted.status, wanted.reason);
        return undefined;
      }
      const refused = nameRefusal(context, controller.workspace, wanted.records);
      if (refused !== undefined) {
        await controller.updateCondition('Error', refused);
        return undefined;
      }
      let settling: number | undefined;
      try {
        settling = await publish(context, wanted.records);
      } catch (error) {
        if (!(error instanceof DryRunStop)) throw error;
        const next = again();
        return next.requeueAfter === 0 ? undefined : next; // due but not checked: an attempt is unresolved
      }
      await setHost(controller, wanted.host);
      return wanted.records.length === 0 ? undefined : again(settling);
    },

    async terminate() {
      const { workspace, condition } = controller;
      const entry = workspace.status?.guards?.[condition.type];
      const wanted = wantedDns(workspace, backend.target);
      const known = knownDns(controller, wanted.kind === 'records' ? wanted.records : []);
      // Names that the third party can never store were never sent to it.
      const refusals = new Map(known.doubtful.map((place) => [place, backend.refuses?.(place)]));
      const doubtful = [...refusals].filter(([, reason]) => reason === undefined).map(([place]) => place);
      const changes = dnsChanges([], { ...known, doubtful });
      const isSettled = entry === undefined || entry.phase === 'none' || entry.phase === 'gone';
      const open = changes.length > 0 || !isSettled;
      driftSchedule.forget(uidOf(controller));
      const notSent = [...refusals.values()].filter((reason) => reason !== undefined);
      const reason = ['nothing is published', ...notSent.slice(0, 3)].join('; ');
      const ended = { status: 'Terminated', reason, refs: [] } as const;
      if (open) await carryOut(context, { changes, drift: [] }, ended);
      else await controller.updateCondition('Terminated', ended.reason);
      await setHost(controller, undefined);
    },
  };
}
