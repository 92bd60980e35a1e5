/** Corrects the journal of a workspace by its mirrors, and adds lost entries of conditions that its integrations had before. */

import {
  effectiveEntry,
  isClaimedSince,
  isMirrored,
  isOfOtherClaim,
  type Mirror,
  mirroredTypes,
  newerFormat,
  newHolder,
  operationKey,
  type ProviderHost,
  readMirror,
  recordsNothing,
} from '../../../sdk/host/index.ts';
import { claimOf, type GuardEntry, hasFinalizer, type Integration, type Workspace } from '../../../sdk/index.ts';

/** Reports whether an entry is an unresolved attempt of this claim. */
const isOpenAttemptOf = (claim: string, entry: GuardEntry | undefined): boolean =>
  entry !== undefined && !recordsNothing(entry) && !isOfOtherClaim(entry, claim);

/** Claim for which a mirror was written, and the token of its newest attempt. */
interface MirroredClaim {
  readonly claim: string;
  readonly token: number;
}

/** Returns the claim of a mirror of this workspace, be it of an earlier uid or of another cluster; undefined for any other mirror. */
function claimOfVerifiedMirror(mirror: Mirror): MirroredClaim | undefined {
  if (!('record' in mirror) || mirror.kind === 'foreign') return undefined;
  const { claim, token } = mirror.record;
  return claim === undefined ? undefined : { claim, token };
}

/**
 * Reports whether an entry counts more than a mirror of a claim: as an open attempt of that claim, or when it is as new and not in doubt. An entry of
 * another integration outranks the mirror until none of its objects is left; after that the mirror does, since its claim came later.
 */
function outweighs(entry: GuardEntry, { claim, token }: MirroredClaim, isRolledBack: boolean): boolean {
  if (isOpenAttemptOf(claim, entry)) return true;
  const isTrusted = isOfOtherClaim(entry, claim) ? !recordsNothing(entry) : !isRolledBack;
  return entry.token >= token && isTrusted;
}

/**
 * Reports whether the mirror of a condition names a registered integration of it that has lost its journal and, by another writer, its finalizer. A
 * release removes both, so it may have begun something.
 */
function isUnclaimedLoss(workspace: Workspace, mirror: Mirror, integrations: readonly Integration[]): boolean {
  if (mirror.kind !== 'own' || mirror.record.claim === undefined) return false;
  const { claim, condition } = mirror.record;
  const isRegistered = integrations.some((one) => one.condition === condition && claimOf(one.name) === claim);
  return isRegistered && !hasFinalizer(workspace, claim) && workspace.status?.guards?.[condition] === undefined;
}

/**
 * Returns a substitute entry for each condition whose entry is missing or was put back, as its mirror shows. It does so only for a former condition of the
 * integration, or if the finalizer was removed as well: in both cases the integration may have begun something there. A mirror without ids is enough, since
 * every claim writes one.
 */
function lostEntries(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly (readonly [string, GuardEntry])[] {
  const { guards = {} } = workspace.status ?? {};
  const conditions = new Map(integrations.map(({ name, condition }) => [claimOf(name), condition]));
  const doubtful = mirroredTypes(workspace).filter((type) => {
    const entry = guards[type];
    return entry === undefined || recordsNothing(entry) || conditions.get(entry.claim ?? '') !== type;
  });
  return doubtful.flatMap((type): readonly (readonly [string, GuardEntry])[] => {
    const mirror = readMirror(host.seal(), workspace, type);
    const mirrored = claimOfVerifiedMirror(mirror);
    if (mirrored === undefined) return [];
    const { claim, token } = mirrored;
    const isFormer = (conditions.get(claim) ?? type) !== type;
    if (!isFormer && !isUnclaimedLoss(workspace, mirror, integrations)) return [];
    const entry = guards[type];
    if (entry !== undefined && outweighs(entry, mirrored, host.fencingTokens.isRolledBack(workspace, type))) return [];
    return [[type, { phase: 'done', op: 'task', key: '', token, holder: '', since: '', claim, lost: true }]];
  });
}

/**
 * Returns the workspace on which moves are decided: without journal entries that are older than their mirrors, with the format of newer mirrors, and with
 * lost entries of which only a mirror is left.
 */
export function effectiveWorkspace(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Workspace {
  const guards = workspace.status?.guards ?? {};
  const changed = [...new Set(integrations.map(({ condition }) => condition))]
    .filter((type) => newerFormat(guards[type]) === undefined)
    .flatMap((type): readonly (readonly [string, GuardEntry | undefined])[] => {
      const mirror = readMirror(host.seal(), workspace, type);
      const entry =
        mirror.kind === 'newerFormat'
          ? ({ ...guards[type], format: mirror.format } as GuardEntry)
          : effectiveEntry(workspace, host.fencingTokens.checkedEntry(workspace, type), mirror);
      return entry === guards[type] ? [] : [[type, entry]];
    })
    .concat(lostEntries(host, workspace, integrations));
  if (changed.length === 0) return workspace;
  const trusted = Object.entries({ ...guards, ...Object.fromEntries(changed) }).flatMap(([type, entry]) =>
    entry === undefined ? [] : [[type, entry] as const],
  );
  return { ...workspace, status: { ...workspace.status, guards: Object.fromEntries(trusted) } };
}

/** Returns a copy of the integration for each condition but its own whose journal entry passes the filter. */
const underOtherConditions = (
  { status }: Workspace,
  integration: Integration,
  filter: (type: string, entry: GuardEntry, claim: string) => boolean,
): readonly Integration[] => {
  const claim = claimOf(integration.name);
  return Object.entries(status?.guards ?? {})
    .filter(([type, entry]) => type !== integration.condition && filter(type, entry, claim))
    .map(([condition]) => ({ ...integration, condition, after: [], references: () => [], handles: () => false }));
};

/**
 * Returns a copy of the integration for each former condition whose entry holds something, or was put back to another integration. The claim belongs
 * to the integration, regardless of its condition: external objects made under the former one are still its own.
 */
export const formerConditionsOf = (workspace: Workspace, integration: Integration): readonly Integration[] =>
  underOtherConditions(workspace, integration, (type, entry, claim) =>
    entry.claim === claim ? !recordsNothing(entry) : isClaimedSince(workspace, type, claim),
  );

/**
 * Returns a copy of the integration for each former condition of which only the mirror is left. The mirror is removed before anything is begun under the
 * new condition: while it is there, it proves that nothing was, even if the status is lost.
 */
export const formerMirrorsOf = (workspace: Workspace, integration: Integration): readonly Integration[] =>
  underOtherConditions(
    workspace,
    integration,
    (type, entry, claim) => entry.claim === claim && recordsNothing(entry) && isMirrored(workspace, type),
  );

/** Returns a copy of the integration for each former condition with something in its entry, or with a mirror. */
export const formerRecordsOf = (workspace: Workspace, integration: Integration): readonly Integration[] => [
  ...formerConditionsOf(workspace, integration),
  ...formerMirrorsOf(workspace, integration),
];

/**
 * Returns the entries to write for former conditions whose entry was put back to one without any attempt: only this process has read the newer entry, and
 * knows that the old one is in doubt.
 */
export function outdatedEntriesOf(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Readonly<Record<string, GuardEntry>> {
  const { guards = {} } = workspace.status ?? {};
  const trusted = effectiveWorkspace(host, workspace, integrations);
  const doubts = integrations
    .flatMap((integration) => formerConditionsOf(trusted, integration))
    .flatMap(({ name, condition }): readonly (readonly [string, GuardEntry])[] => {
      const entry = guards[condition];
      if (entry?.phase !== 'none' || !host.fencingTokens.isRolledBack(workspace, condition)) return [];
      if (effectiveEntry(workspace, entry, readMirror(host.seal(), workspace, condition)) === undefined) return []; // the mirror tells more
      const key = operationKey(workspace, `${condition}/${newHolder(host)}`, 0);
      const token = host.fencingTokens.newestOf(workspace, condition);
      return [[condition, { ...entry, phase: 'done', key, token, claim: claimOf(name), ambiguous: true, lost: true }]];
    });
  return Object.fromEntries(doubts);
}
