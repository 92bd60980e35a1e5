import type { Outcome, Provider, ProviderController, Ref, Result, Workspace } from '../sdk/index.ts';
import { HeldBackError, isDeleting, messageOf, ThrottledError } from '../sdk/index.ts';
import { type DnsDrift, type DnsPlace, dnsDrift, placesOf, type SeenName } from './dns-drift.ts';
import type { DnsNameRule } from './dns-names.ts';
import { type DnsChange, type DnsName, type DnsRecord, dnsChanges, type KnownDns, wantedDns } from './dns-records.ts';
import type { Looks } from './looks.ts';

/** Who owns the records of a change, and until when it may be carried out. */
export interface ChangeContext {
  /** The workspace's uid: the mark that every record of ours carries at the third party. */
  readonly owner: string;
  /** Earlier uids of the workspace, before it was restored from a backup: what bears their mark is taken over, and marked anew. @default none */
  readonly former?: readonly string[];
  readonly signal: AbortSignal;
}

/** A third party that keeps DNS records, and whose names have one owner each. */
export interface DnsKeeper {
  /** What the names of ingress rules point to where nobody asks for more in `status.dns`. */
  readonly target?: string | undefined;
  /** Seconds that records live which say nothing else. @default the third party has no such thing */
  readonly ttl?: number | undefined;
  /** Why this third party can never keep a name, so that nothing is sent for it; undefined when it can. Pure. @default it keeps any */
  refuses?(place: DnsName): string | undefined;
  /**
   * Makes one name so. It may be asked for what is so already, and finds its own records of an earlier attempt by their mark; records of
   * somebody else are left as they are. @returns a remark for the condition's reason, if there is something to say
   * @throws DefiniteError when the third party said no and nothing has happened there
   */
  apply(change: DnsChange, context: ChangeContext): Promise<string | undefined>;
  /** What stands at these names now, and whose marks they bear; changes nothing. Without it, what somebody changes outside goes unnoticed. @throws when it does not say */
  look?(places: readonly DnsPlace[], context: Pick<ChangeContext, 'signal'>): Promise<readonly SeenName[]>;
}

/** Whether a workspace asks for DNS at all. */
export const wantsDns = (workspace: Workspace): boolean => workspace.spec.networking?.dns !== undefined;

/** Whether the journal was lost: then what would have been published is as doubtful as what is recorded. */
function isLost({ workspace, condition }: ProviderController): boolean {
  const entry = workspace.status?.guards?.[condition.type];
  return entry === undefined || entry.lost === true;
}

/** Refs are the records themselves; names an unresolved attempt dealt with are in the intent's input. After a lost journal all of them are in doubt. */
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

/** Whether nothing may be changed: what differs is only said, and each walk looks, as with `controller.ensure`. */
const isHeldBack = ({ policy }: ProviderController): boolean => policy === 'plan' || policy === 'observeOnly';

/** What one integration works with, whichever workspace it is about. */
export interface DnsSetup {
  readonly keeper: DnsKeeper;
  /** The names that workspaces may have published. */
  readonly allows: DnsNameRule;
  readonly looks: Looks;
}

/** The same, for one workspace. */
interface Desk extends DnsSetup {
  readonly controller: ProviderController;
}

/** Why a name is not published: it is not allowed, or cannot be kept. */
function refusal({ controller, keeper, allows }: Desk, records: readonly DnsRecord[]): string | undefined {
  const names = new Map(records.map((record) => [record.name, record]));
  for (const [name, place] of names) {
    const reason = keeper.refuses?.(place) ?? allows(controller.workspace, name);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** What is not as wanted at the third party; undefined when it was not looked at: it is not time, or something is to be resolved first. @throws what the look throws */
async function driftOf(
  { controller, keeper, looks }: Desk,
  wanted: readonly DnsRecord[],
  known: KnownDns,
): Promise<readonly DnsDrift[] | undefined> {
  const uid = uidOf(controller);
  const wait = looks.wait(uid);
  const places = placesOf(isHeldBack(controller) ? [...wanted, ...known.records] : wanted);
  if (keeper.look === undefined || wait === undefined || places.length === 0 || known.doubtful.length > 0)
    return undefined;
  if (wait > 0 && !isHeldBack(controller)) return undefined;
  const seen = await looks.look(uid, controller.signal, async (signal) => keeper.look?.(places, { signal }));
  return dnsDrift({ wanted, seen: seen ?? [], owner: uid, former: controller.formerUids, ttl: keeper.ttl });
}

/**
 * A look that fails says nothing about the records: an event tells of it, and the condition stays as it is. Where nothing but looks is allowed and
 * nothing was ever said, it is an error.
 */
function lookFailed({ controller, looks }: Desk, error: unknown): undefined {
  const message = `not looked at what is published: ${messageOf(error)}`;
  if (!isHeldBack(controller)) return controller.event('Warning', 'LookFailed', message) as undefined;
  if (controller.condition.status === 'Initialized') throw error;
  throw new ThrottledError(message, looks.wait(uidOf(controller)) ?? 0, { cause: error });
}

/** What is to be done because something else is wanted, and because somebody has changed something. */
interface Work {
  readonly changes: readonly DnsChange[];
  readonly drift: readonly DnsDrift[];
}

/** Where nothing is managed only what was seen counts; under `orphan` nothing is only taken away. Pure. */
function workOf(
  policy: ProviderController['policy'],
  changes: readonly DnsChange[],
  drift: readonly DnsDrift[] | undefined,
): Work {
  if (policy === 'observeOnly' && drift !== undefined) return { changes: [], drift };
  const names = new Set(changes.map(({ name }) => name));
  const isOpen = ({ change }: DnsDrift): boolean => !names.has(change.name);
  const may = ({ onlyMore }: DnsDrift): boolean => !(onlyMore && policy === 'orphan');
  return { changes, drift: (drift ?? []).filter((one) => isOpen(one) && may(one)) };
}

const reasonOf = ({ changes, drift }: Work, op: DnsChange['op']): string =>
  [
    ...(changes.length > 0 || drift.length === 0 ? [`${verbs[op]} ${listed(changes) || 'nothing'}`] : []),
    ...(drift.length > 0 ? [`putting right ${toldOf(drift)}`] : []),
  ].join('; ');

const verbs = { create: 'publishing', update: 'changing', delete: 'removing' } as const;

/** One guard for all: its input journals the names that are dealt with before the first request goes out. */
function carryOut({ controller, keeper }: Desk, work: Work, outcome: Outcome): Promise<void> {
  const changes = [...work.changes, ...work.drift.map(({ change }) => change)];
  const op = outcome.status === 'Terminated' ? 'delete' : opOf(changes);
  const names = changes.map(({ zone, name }) => ({ zone, name }));
  return controller.guard(
    reasonOf(work, outcome.status === 'Terminated' ? 'delete' : opOf(work.changes)),
    async ({ signal }) => {
      const remarks: string[] = [];
      const context = { owner: uidOf(controller), former: controller.formerUids, signal };
      for (const change of changes) remarks.push((await keeper.apply(change, context)) ?? '');
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

/** Brings the records to what is wanted; where a policy holds that back, it is said, and looked at again all the same. */
async function publish(desk: Desk, wanted: readonly DnsRecord[]): Promise<void> {
  const { controller } = desk;
  const known = knownDns(controller, wanted);
  const drift = await driftOf(desk, wanted, known).catch((error) => lookFailed(desk, error));
  const work = workOf(controller.policy, dnsChanges(wanted, known), drift);
  const reason = wanted.length === 0 ? 'nothing to publish' : `published ${listed(wanted)}`;
  const isLeft = ({ op }: DnsChange): boolean => op === 'delete' && controller.policy === 'orphan';
  const [stays, changes] = [work.changes.filter(isLeft), work.changes.filter((change) => !isLeft(change))];
  if (work.drift.length > 0) controller.event('Warning', 'Drifted', toldOf(work.drift));
  if (work.changes.length + work.drift.length === 0) await controller.updateCondition('Completed', reason);
  else await carryOut(desk, { ...work, changes }, { status: 'Completed', reason, refs: asRefs(wanted) });
  if (stays.length > 0) controller.event('Normal', 'Orphaned', `${listed(stays)}: not wanted any more, and left alone`);
}

/**
 * Keeps a workspace's records at a third party. Each round is one guard: its input journals the names that are dealt with before the first
 * request goes out, so that after a crash they are known without a checkpoint of each. From time to time it looks at what is there, and puts
 * right what somebody has changed.
 */
export function dnsProvider(controller: ProviderController, setup: DnsSetup): Provider {
  const { keeper, looks } = setup;
  const desk: Desk = { ...setup, controller };
  const again = (): Result => {
    const wait = keeper.look === undefined ? undefined : looks.wait(uidOf(controller));
    return wait === undefined ? {} : { requeueAfter: wait };
  };
  return {
    async reconcile() {
      const wanted = wantedDns(controller.workspace, keeper.target);
      if (wanted.kind === 'problem') {
        await controller.updateCondition(wanted.status, wanted.reason);
        return undefined;
      }
      const refused = refusal(desk, wanted.records);
      if (refused !== undefined) {
        await controller.updateCondition('Error', refused);
        return undefined;
      }
      try {
        await publish(desk, wanted.records);
      } catch (error) {
        if (!(error instanceof HeldBackError)) throw error;
        const next = again();
        return next.requeueAfter === 0 ? undefined : next; // due, and yet not looked: what is unresolved stays so
      }
      await setHost(controller, wanted.host);
      return wanted.records.length === 0 ? undefined : again();
    },

    async terminate() {
      const { workspace, condition } = controller;
      const entry = workspace.status?.guards?.[condition.type];
      const wanted = wantedDns(workspace, keeper.target);
      const known = knownDns(controller, wanted.kind === 'records' ? wanted.records : []);
      // What the third party can never keep was never sent to it.
      const refusals = new Map(known.doubtful.map((place) => [place, keeper.refuses?.(place)]));
      const doubtful = [...refusals].filter(([, reason]) => reason === undefined).map(([place]) => place);
      const changes = dnsChanges([], { ...known, doubtful });
      const isSettled = entry === undefined || entry.phase === 'none' || entry.phase === 'gone';
      const open = changes.length > 0 || !isSettled;
      looks.forget(uidOf(controller));
      const notSent = [...refusals.values()].filter((reason) => reason !== undefined);
      const reason = ['nothing is published', ...notSent.slice(0, 3)].join('; ');
      const ended = { status: 'Terminated', reason, refs: [] } as const;
      if (open) await carryOut(desk, { changes, drift: [] }, ended);
      else await controller.updateCondition('Terminated', ended.reason);
      await setHost(controller, undefined);
    },
  };
}
