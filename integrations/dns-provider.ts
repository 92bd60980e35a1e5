import type { Outcome, Provider, ProviderController, Ref, Workspace } from '../sdk/index.ts';
import { isDeleting } from '../sdk/index.ts';
import { type DnsChange, type DnsName, type DnsRecord, dnsChanges, type KnownDns, wantedDns } from './dns-records.ts';

/** Who owns the records of a change, and until when it may be carried out. */
export interface ChangeContext {
  /** The workspace's uid: the mark that every record of ours carries at the third party. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** A third party that keeps DNS records, and whose names have one owner each. */
export interface DnsKeeper {
  /** What the names of ingress rules point to where nobody asks for more in `status.dns`. */
  readonly target?: string | undefined;
  /**
   * Makes one name so. It may be asked for what is so already, and finds its own records of an earlier attempt by their mark; records of
   * somebody else are left as they are. @returns a remark for the condition's reason, if there is something to say
   * @throws DefiniteError when the third party said no and nothing has happened there
   */
  apply(change: DnsChange, context: ChangeContext): Promise<string | undefined>;
}

/** Whether a workspace asks for DNS at all. */
export const wantsDns = (workspace: Workspace): boolean => workspace.spec.networking?.dns !== undefined;

/** Refs are the records themselves; names an unresolved attempt dealt with are in the intent's input. */
function knownDns({ workspace, condition, refs }: ProviderController): KnownDns {
  const entry = workspace.status?.guards?.[condition.type];
  const settled = entry === undefined || entry.phase === 'done' || entry.phase === 'gone';
  const names = settled ? [] : ((entry.input?.names ?? []) as readonly DnsName[]);
  return { records: refs as readonly unknown[] as readonly DnsRecord[], doubtful: names };
}

const asRefs = (records: readonly DnsRecord[]): readonly Ref[] => records.map((record) => ({ ...record }));

const opOf = (changes: readonly DnsChange[]): DnsChange['op'] =>
  changes.length > 0 && changes.every(({ op }) => op === changes[0]!.op) ? changes[0]!.op : 'update';

function listed(places: readonly DnsName[]): string {
  const names = [...new Set(places.map(({ name }) => name))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

const verbs = { create: 'publishing', update: 'changing', delete: 'removing' } as const;

/**
 * Keeps a workspace's records at a third party. Each round is one guard: its input journals the names that are dealt with before the first
 * request goes out, so that after a crash they are known without a checkpoint of each.
 */
export function dnsProvider(controller: ProviderController, keeper: DnsKeeper): Provider {
  const carryOut = (changes: readonly DnsChange[], outcome: Outcome): Promise<void> => {
    const op = outcome.status === 'Terminated' ? 'delete' : opOf(changes);
    const names = changes.map(({ zone, name }) => ({ zone, name }));
    const owner = controller.workspace.metadata.uid ?? '';
    return controller.guard(
      `${verbs[op]} ${listed(changes) || 'nothing'}`,
      async ({ signal }) => {
        const remarks: string[] = [];
        for (const change of changes) remarks.push((await keeper.apply(change, { owner, signal })) ?? '');
        return { ...outcome, reason: [outcome.reason, ...remarks.filter((remark) => remark !== '')].join('; ') };
      },
      { op, identity: 'name', input: { names } },
    );
  };

  const setHost = async (host: string | undefined): Promise<void> => {
    if (controller.workspace.status?.host === host || isDeleting(controller.workspace)) return;
    await controller.update((status) => {
      if (host === undefined) delete status.host;
      else status.host = host;
    });
  };

  return {
    async reconcile() {
      const wanted = wantedDns(controller.workspace, keeper.target);
      if (wanted.kind === 'problem') return controller.updateCondition(wanted.status, wanted.reason);
      const { records, host } = wanted;
      const changes = dnsChanges(records, knownDns(controller));
      const reason = records.length === 0 ? 'nothing to publish' : `published ${listed(records)}`;
      const stays = controller.policy === 'orphan' ? changes.filter(({ op }) => op === 'delete') : [];
      const made = changes.filter((change) => !stays.includes(change));
      if (changes.length > 0) await carryOut(made, { status: 'Completed', reason, refs: asRefs(records) });
      else await controller.updateCondition('Completed', reason);
      if (stays.length > 0)
        controller.event('Normal', 'Orphaned', `${listed(stays)}: not wanted any more, and left alone`);
      await setHost(host);
    },

    async terminate() {
      const { workspace, condition } = controller;
      const entry = workspace.status?.guards?.[condition.type];
      const wanted = wantedDns(workspace, keeper.target);
      const known = knownDns(controller);
      // Without a journal entry nothing is known for certain: what would have been published is asked for too.
      const maybe = entry === undefined && wanted.kind === 'records' ? wanted.records : [];
      const changes = dnsChanges([], { ...known, doubtful: [...known.doubtful, ...maybe] });
      const open = changes.length > 0 || (entry !== undefined && entry.phase !== 'gone');
      if (open) await carryOut(changes, { status: 'Terminated', reason: 'nothing is published', refs: [] });
      else await controller.updateCondition('Terminated', 'nothing is published');
      await setHost(undefined);
    },
  };
}
