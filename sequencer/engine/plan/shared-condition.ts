/** Decides which of several integrations of one condition may act on a workspace: at most one at a time, and what it has made goes with it. */

import { recordedClaim } from '../../../sdk/host/index.ts';
import {
  claimOf,
  hasFinalizer,
  type Integration,
  isDeleting,
  policyAnnotation,
  type Workspace,
} from '../../../sdk/index.ts';
import { formerConditionsOf } from './effective-journal.ts';

/** Reports whether the integration's finalizer is present. */
export const isClaimed = (workspace: Workspace, { name }: Integration): boolean =>
  hasFinalizer(workspace, claimOf(name));

/** Returns the other integrations of its condition. */
export const othersOfCondition = (
  { name, condition }: Integration,
  integrations: readonly Integration[],
): readonly Integration[] => integrations.filter((other) => other.condition === condition && other.name !== name);

/** Reports whether the condition records external objects of this integration. */
const isRecorded = (workspace: Workspace, { name, condition }: Integration): boolean =>
  recordedClaim(workspace, condition) === claimOf(name);

/** Reports whether its condition, or a former one, records external objects of this integration. */
export const isRecordedAnywhere = (workspace: Workspace, integration: Integration): boolean =>
  isRecorded(workspace, integration) || formerConditionsOf(workspace, integration).length > 0;

/** Reports whether the condition records external objects of another integration. */
const isOthers = (workspace: Workspace, integration: Integration): boolean =>
  recordedClaim(workspace, integration.condition) !== undefined && !isRecorded(workspace, integration);

/**
 * Reports whether a leaving integration waits for another one of its condition that leaves too: the one with recorded objects is first, then one that
 * is gone and only has to be released, then the first registered one.
 */
export function waitsForOther(
  workspace: Workspace,
  integration: Integration,
  { leaving, isGone }: { readonly leaving: readonly Integration[]; readonly isGone: (one: Integration) => boolean },
): boolean {
  if (isOthers(workspace, integration)) return true;
  if (isRecorded(workspace, integration) || isGone(integration)) return false;
  const rivals = othersOfCondition(integration, leaving);
  return rivals.some((rival) => isGone(rival) || leaving.indexOf(rival) < leaving.indexOf(integration));
}

/** Decision on whether a requested integration may act, given the others of its condition. */
export type SharedConditionDecision =
  /** It may act. */
  | { readonly kind: 'free' }
  /** Another one is to be deleted first, or reports what blocks the condition. */
  | { readonly kind: 'waits' }
  /** The `handles` of another one fails. */
  | { readonly kind: 'handlesFailed'; readonly integration: Integration }
  /** A person has to decide. */
  | { readonly kind: 'blocked'; readonly status: 'Error'; readonly reason: string };

const nameOfClaim = (claim: string): string => claim.slice(claim.indexOf('/') + 1);

/** Formats the error about several integrations that request one condition of one workspace. */
export const contestedText = ({ condition }: Integration, all: readonly Integration[]): string =>
  `integrations ${all.map(({ name }) => `"${name}"`).join(' and ')} claim this workspace, and condition ${condition} takes one: ` +
  'change the spec, or their handles, so that one of them does; nothing is changed until then';

function unregisteredOwnerText({ condition }: Integration, claim: string, isRegistered: boolean): string {
  const name = nameOfClaim(claim);
  const advice = isRegistered
    ? `annotate ${policyAnnotation(condition)}=orphan to leave that outside`
    : `give its claim up with --orphan ${name}, which leaves that outside`;
  return `what integration "${name}" has made is recorded here, and it is not registered for condition ${condition}: register it with that again, or ${advice}`;
}

/** Integrations of a walk. */
export interface WalkIntegrations {
  readonly integrations: readonly Integration[];
  /** Those that the workspace requests, with those whose `handles` fails. */
  readonly candidates: readonly Integration[];
  /** Those of `candidates` whose `handles` does not fail. */
  readonly requested: readonly Integration[];
}

/** Decides whether a requested integration may act; pure. */
export function sharedConditionDecisionOf(
  workspace: Workspace,
  integration: Integration,
  { integrations, candidates, requested }: WalkIntegrations,
): SharedConditionDecision {
  const recorded = recordedClaim(workspace, integration.condition);
  const rivals = othersOfCondition(integration, integrations);
  if (recorded !== undefined && recorded !== claimOf(integration.name)) {
    if (rivals.some(({ name }) => claimOf(name) === recorded)) return { kind: 'waits' };
    const isRegistered = integrations.some(({ name }) => claimOf(name) === recorded);
    return { kind: 'blocked', status: 'Error', reason: unregisteredOwnerText(integration, recorded, isRegistered) };
  }
  const isLeaving = (one: Integration): boolean =>
    !candidates.includes(one) && (isClaimed(workspace, one) || isRecordedAnywhere(workspace, one));
  if (recorded === undefined && rivals.some(isLeaving)) return { kind: 'waits' };
  const all = candidates.filter(({ condition }) => condition === integration.condition);
  if (all.length < 2) return { kind: 'free' };
  if (recorded === undefined && all[0] !== integration) return { kind: 'waits' };
  const invalid = all.find((one) => !requested.includes(one));
  return invalid === undefined
    ? { kind: 'blocked', status: 'Error', reason: contestedText(integration, all) }
    : { kind: 'handlesFailed', integration: invalid };
}

/**
 * Returns a stand-in integration for each condition whose recorded objects belong to an integration without a finalizer. That integration is unregistered or,
 * during a deletion, any one, since no finalizer can be added then. A stand-in has the policy `orphan`: it leaves the objects and frees the condition.
 * @param seeking integrations that are claimed or requested
 */
export function standInsOf(
  workspace: Workspace,
  {
    integrations,
    seeking,
  }: { readonly integrations: readonly Integration[]; readonly seeking: readonly Integration[] },
): readonly Integration[] {
  const known = new Set(isDeleting(workspace) ? [] : integrations.map(({ name }) => claimOf(name)));
  const byCondition = new Map(seeking.map((integration) => [integration.condition, integration]));
  return [...byCondition.values()].flatMap((integration) => {
    const claim = recordedClaim(workspace, integration.condition);
    if (claim === undefined || known.has(claim) || hasFinalizer(workspace, claim)) return [];
    return [{ ...integration, name: nameOfClaim(claim), after: [], policy: 'orphan' as const, handles: () => false }];
  });
}
