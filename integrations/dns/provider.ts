/** Publishes the DNS records of workspaces at a third party. */

import type { Outcome, Provider, ProviderController, Ref, Result, Workspace } from '../../sdk/index.ts';
import { DryRunStop, isDeleting, messageOf, ThrottledError } from '../../sdk/index.ts';
import type { DriftSchedule } from '../drift-schedule.ts';
import { type DnsDrift, type DnsQuery, dnsDrift, dnsQueriesOf, type ObservedName } from './drift.ts';
import type { DnsNameRule } from './names.ts';
import { type DnsChange, type DnsName, type DnsRecord, dnsChanges, type KnownDns, wantedDns } from './records.ts';

/** Owner and signal of a change. */
export interface ChangeContext {
  /** Uid of the workspace: the owner in each ownership record at the third party. */
  readonly owner: string;
  /** Earlier uids of the workspace, before it was restored from a backup: records that they own are taken over and relabelled. @default none */
  readonly former?: readonly string[];
  readonly signal: AbortSignal;
}

/** Third party that stores DNS records; each name has one owner. */
export interface DnsBackend {
  /** Target of the names of ingress rules that have no record in `status.dns`. */
  readonly target?: string | undefined;
  /** TTL in seconds of records without one. @default the third party has no TTLs */
  readonly ttl?: number | undefined;
  /** Explains why the third party can never store a name, so that no request is sent; undefined when it can. Pure. @default accepts any */
  refuses?(place: DnsName): string | undefined;
  /**
   * Applies the desired state of one name. Idempotent: finds its own records of an earlier attempt by their owner; records of other owners are left
   * alone. @returns a remark for the condition's reason, if any
   * @throws DefiniteError when the third party refused without any effect
   */
  apply(change: DnsChange, context: ChangeContext): Promise<string | undefined>;
  /** Reads the records and owners of these names; without it, external changes are not detected. @throws when the state cannot be read */
  observe?(places: readonly DnsQuery[], context: Pick<ChangeContext, 'signal'>): Promise<readonly ObservedName[]>;
}

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

/** Explains why a name is not published: it is not allowed, or cannot be stored. */
function refusal({ controller, backend, allows }: DnsContext, records: readonly DnsRecord[]): string | undefined {
  const names = new Map(records.map((record) => [record.name, record]));
  for (const [name, place] of names) {
    const reason = backend.refuses?.(place) ?? allows(controller.workspace, name);
    if (reason !== undefined) return reason;
  }
  return undefined;
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
  return dnsDrift({ wanted, seen: seen ?? [], owner: uid, former: controller.formerUids, ttl: backend.ttl });
}

/**
 * Reports a failed look by an event and leaves the condition unchanged, since it says nothing about the records. Where the policy allows only looks
 * and the condition has no status yet, throws an error.
 */
function observeFailed({ controller, driftSchedule }: DnsContext, error: unknown): undefined {
  const message = `not looked at what is published: ${messageOf(error)}`;
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
    ...(drift.length > 0 ? [`putting right ${toldOf(drift)}`] : []),
  ].join('; ');

const verbs = { create: 'publishing', update: 'changing', delete: 'removing' } as const;

/** Executes all changes in one guard, whose input journals their names before the first request. */
function carryOut({ controller, backend }: DnsContext, work: DnsWork, outcome: Outcome): Promise<void> {
  const changes = [...work.changes, ...work.drift.map(({ change }) => change)];
  const op = outcome.status === 'Terminated' ? 'delete' : opOf(changes);
  const names = changes.map(({ zone, name }) => ({ zone, name }));
  return controller.guard(
    reasonOf(work, outcome.status === 'Terminated' ? 'delete' : opOf(work.changes)),
    async ({ signal }) => {
      const remarks: string[] = [];
      const context = { owner: uidOf(controller), former: controller.formerUids, signal };
      for (const change of changes) remarks.push((await backend.apply(change, context)) ?? '');
      return { ...outcome, reason: [outcome.reason, ...remarks.filter((remark) => remark !== '')].join('; ') };
    },
    { op, identity: 'name', input: { names } },
  );
}

async function setHost(controller: ProviderController, host: string | undefined): Promise<void> {
  if (controller.workspace.status?.host === host || isDeleting(controller.workspace)) return;
  await controller.update((status) => {
    if (host === undefined) delete status.host;
    else status.host = host;
  });
}

/** Publishes the desired records; changes that the policy forbids are reported and checked again later. */
async function publish(context: DnsContext, wanted: readonly DnsRecord[]): Promise<void> {
  const { controller } = context;
  const known = knownDns(controller, wanted);
  const drift = await driftOf(context, wanted, known).catch((error) => observeFailed(context, error));
  const work = workOf(controller.policy, dnsChanges(wanted, known), drift);
  const reason = wanted.length === 0 ? 'nothing to publish' : `published ${listed(wanted)}`;
  const isLeft = ({ op }: DnsChange): boolean => op === 'delete' && controller.policy === 'orphan';
  const [stays, changes] = [work.changes.filter(isLeft), work.changes.filter((change) => !isLeft(change))];
  if (work.drift.length > 0) controller.event('Warning', 'Drifted', toldOf(work.drift));
  if (work.changes.length + work.drift.length === 0) await controller.updateCondition('Completed', reason);
  else await carryOut(context, { ...work, changes }, { status: 'Completed', reason, refs: asRefs(wanted) });
  if (stays.length > 0) controller.event('Normal', 'Orphaned', `${listed(stays)}: not wanted any more, and left alone`);
}

/**
 * Creates the provider of a workspace's DNS records. Each round is one guard: its input journals the names before the first request, so that they are
 * known after a crash without a checkpoint for each. It looks at the published records periodically and corrects drift.
 */
export function dnsProvider(controller: ProviderController, setup: DnsSetup): Provider {
  const { backend, driftSchedule } = setup;
  const context: DnsContext = { ...setup, controller };
  const again = (): Result => {
    const wait = backend.observe === undefined ? undefined : driftSchedule.wait(uidOf(controller));
    return wait === undefined ? {} : { requeueAfter: wait };
  };
  return {
    async reconcile() {
      const wanted = wantedDns(controller.workspace, backend.target);
      if (wanted.kind === 'problem') {
        await controller.updateCondition(wanted.status, wanted.reason);
        return undefined;
      }
      const refused = refusal(context, wanted.records);
      if (refused !== undefined) {
        await controller.updateCondition('Error', refused);
        return undefined;
      }
      try {
        await publish(context, wanted.records);
      } catch (error) {
        if (!(error instanceof DryRunStop)) throw error;
        const next = again();
        return next.requeueAfter === 0 ? undefined : next; // due, and yet not looked: what is unresolved stays so
      }
      await setHost(controller, wanted.host);
      return wanted.records.length === 0 ? undefined : again();
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
