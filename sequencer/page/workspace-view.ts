/** Detail view of one workspace: conditions with their dependencies, journals and next actions. */

import { effectivePolicyOf } from '../../sdk/host/index.ts';
import {
  claimOf,
  conditionOf,
  type GuardEntry,
  hasFinalizer,
  type Integration,
  isDeleting,
  isPaused,
  messageOf,
  redactedJson,
  type Workspace,
} from '../../sdk/index.ts';
import { recordedMoves } from '../engine/mirrors/lost-seal.ts';
import { orderOf } from '../engine/plan/order.ts';
import type { Move } from '../engine/plan/plan.ts';
import { candidatesOf, isCompletedForSpec } from '../engine/plan/requested-integrations.ts';
import type { ConditionView, EventView, JournalView, OutputView, WorkspaceView } from './page-model.ts';
import { planViewOf } from './plan-view.ts';
import type { WalkHistory } from './walk-history.ts';
import { maxConditions, maxTextLength, rowOf } from './workspace-row.ts';

/** Surroundings of {@link viewOf}. */
export interface ViewInput {
  readonly integrations: readonly Integration[];
  readonly history: Pick<WalkHistory, 'spansOf' | 'journalChangedAt'>;
  readonly events: readonly EventView[] | undefined;
  readonly redact: (text: string) => string;
}

/** Limit of the external ids of one condition on the page. */
const maxIds = 32;

const nextTexts: Readonly<Record<Exclude<Move['kind'], 'initialize' | 'blocked'>, string>> = {
  handlesFailed: 'report that its integration cannot tell whether it is requested',
  claim: 'claim: add its finalizer, before any external object is created',
  reconcile: 'reconcile: its integration creates or updates its external objects',
  terminate: 'terminate: its integration deletes its external objects',
  release: 'release the claim: nothing of it is left',
  orphan: 'release the claim, and keep the external objects',
  newerFormat: 'nothing: a newer release has written its journal',
  sealLost: 'wait for a person: the key of its ids was lost, and its condition says how to continue',
  renamed: 'wait: it has objects under its former condition',
  orphanFormer: 'release what it has under its former condition',
  dropCondition: 'remove the condition: it is no longer requested',
  resolve: 'apply the resolution of a person',
  wait: 'wait for others',
};

const nextTextOf = (move: Move | undefined): string => {
  if (move === undefined) return 'nothing';
  if (move.kind === 'initialize') return 'initialize the journal';
  return move.kind === 'blocked' ? `nothing: ${move.reason}` : nextTexts[move.kind];
};

function movesOf(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] | Error {
  try {
    return recordedMoves(workspace, integrations);
  } catch (error) {
    return new Error(messageOf(error));
  }
}

const jsonOf = (value: unknown, redact: (text: string) => string): string =>
  (JSON.stringify(redactedJson(value, redact)) ?? '').slice(0, maxTextLength);

const doubtTextsOf = ({ ambiguous, unresolved, lost, late = [], formerly = [] }: GuardEntry): readonly string[] => [
  ...(ambiguous ? ['an attempt ended without a known outcome'] : []),
  ...(unresolved ? ['the outcome of an earlier attempt is unknown'] : []),
  ...(lost ? ['the journal entry was lost, and was recreated'] : []),
  ...(late.length > 0 ? [`${late.length} ids came from an attempt that had been given up`] : []),
  ...(formerly.length > 0 ? ['the workspace was restored from a backup'] : []),
];

function journalOf(entry: GuardEntry, changeSeenAt: number | undefined, redact: ViewInput['redact']): JournalView {
  const { phase, op, key, attempt, token, holder, since, leaseSeconds, beat, cause } = entry;
  const ids = [...(entry.refs ?? []), ...(entry.late ?? [])].slice(0, maxIds).map((ref) => jsonOf(ref, redact));
  const redactedCause = cause === undefined ? undefined : redact(cause);
  return {
    phase,
    op,
    key,
    attempt,
    token,
    holder,
    since,
    leaseSeconds,
    beat,
    changeSeenAt: changeSeenAt,
    cause: redactedCause,
    ids,
    doubts: doubtTextsOf(entry),
  };
}

function outputsOf(workspace: Workspace, type: string, redact: ViewInput['redact']): readonly OutputView[] {
  const { values = {}, secrets = {} } = workspace.status?.outputs?.[type] ?? {};
  return [
    ...Object.entries(values).map(([name, value]) => ({ name, value: redact(value), secret: false })),
    ...Object.entries(secrets).map(([name, ref]) => ({
      name,
      value: `Secret ${ref.name}, key ${ref.key}`,
      secret: true,
    })),
  ];
}

/** Order of the conditions of one workspace. */
interface Precedence {
  before(type: string): readonly string[];
  waitsFor(type: string): readonly string[];
}

/** Computes the predecessors of a condition and the conditions that it waits for; during deletion it waits for its successors. */
function precedenceOf(workspace: Workspace, types: readonly string[], involved: readonly Integration[]): Precedence {
  const order = orderOf(workspace, involved);
  const shown = new Set(types);
  const before = (type: string): readonly string[] =>
    [...new Set(involved.filter(({ condition }) => condition === type).flatMap((one) => order.before(one)))].filter(
      (other) => shown.has(other) && other !== type,
    );
  const hasObjects = (type: string): boolean => {
    const phase = workspace.status?.guards?.[type]?.phase;
    return phase !== 'gone' && conditionOf(workspace, type).status !== 'Terminated';
  };
  const settled = new Set(types.filter((type) => isCompletedForSpec(workspace, type)));
  return {
    before,
    waitsFor(type) {
      if (isDeleting(workspace))
        return hasObjects(type) ? types.filter((other) => hasObjects(other) && before(other).includes(type)) : [];
      return settled.has(type) ? [] : before(type).filter((other) => !settled.has(other));
    },
  };
}

/** Returns the integrations that a workspace requests, or whose claim it has. */
const involvedIn = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] => [
  ...new Set([
    ...(isDeleting(workspace) ? [] : candidatesOf(workspace, integrations)),
    ...integrations.filter(({ name }) => hasFinalizer(workspace, claimOf(name))),
  ]),
];

function typesOf({ status }: Workspace, involved: readonly Integration[]): readonly string[] {
  const existing = (status?.conditions ?? []).map(({ type }) => type);
  const all = [...involved.map(({ condition }) => condition), ...existing, ...Object.keys(status?.guards ?? {})];
  return [...new Set(all)].filter((type) => type !== 'Ready').slice(0, maxConditions);
}

const integrationOf = (type: string, ...preferred: readonly (readonly Integration[])[]): Integration | undefined =>
  preferred.flatMap((all) => all.filter(({ condition }) => condition === type))[0];

/** Returns a function that describes the next move about a condition. */
function nextTextFor(
  workspace: Workspace,
  integrations: readonly Integration[],
  redact: ViewInput['redact'],
): (type: string, waitsFor: readonly string[]) => string {
  const moves = movesOf(workspace, integrations);
  return (type, waitsFor) => {
    if (moves instanceof Error) return redact(moves.message);
    if (isPaused(workspace)) return 'nothing: the workspace is paused';
    const phase = workspace.status?.guards?.[type]?.phase;
    if (phase === 'unknown') return `wait for a person: sequencer resolve ${workspace.metadata.name} ${type}`;
    if (phase === 'intent') return 'complete the running attempt, or find out its outcome';
    const move = moves.find((one) => one.kind === 'initialize' || one.integration.condition === type);
    if (move?.kind === 'reconcile' && isCompletedForSpec(workspace, type)) return 'nothing, unless drift is found';
    if (move?.kind === 'wait' && waitsFor.length > 0) return `wait for ${waitsFor.join(', ')}`;
    return redact(nextTextOf(move));
  };
}

/** Returns a workspace in detail, without secrets. Pure. */
export function viewOf(workspace: Workspace, { integrations, history, events, redact }: ViewInput): WorkspaceView {
  const row = rowOf(workspace, redact);
  const { metadata, spec, status } = workspace;
  const involved = involvedIn(workspace, integrations);
  const types = typesOf(workspace, involved);
  const order = precedenceOf(workspace, types, involved);
  const nextOf = nextTextFor(workspace, integrations, redact);
  const conditions = types.map((type): ConditionView => {
    const condition = conditionOf(workspace, type);
    const integration = integrationOf(type, involved, integrations);
    const entry = status?.guards?.[type];
    const waitsFor = order.waitsFor(type);
    return {
      type,
      integration: integration?.name,
      status: condition.status,
      reason: redact(condition.reason),
      since: condition.lastTransitionTime,
      after: order.before(type),
      waitsFor,
      next: nextOf(type, waitsFor),
      policy: integration && effectivePolicyOf(workspace, integration).policy,
      claimed: integration !== undefined && hasFinalizer(workspace, claimOf(integration.name)),
      journal: entry && journalOf(entry, history.journalChangedAt(row.key, type), redact),
      outputs: outputsOf(workspace, type, redact),
      spans: history.spansOf(row.key, type).map((span) => ({ ...span, reason: redact(span.reason) })),
    };
  });
  return {
    ...row,
    uid: metadata.uid ?? '',
    host: status?.host ?? '',
    className: spec.className ?? '',
    generation: metadata.generation ?? 0,
    conditions: [...conditions, readyOf(workspace, { row: row.key, types, order, history, redact })],
    plan: planViewOf(workspace, integrations, redact),
    events,
  };
}

/** Surroundings of {@link readyOf}. */
interface ReadyInput extends Pick<ViewInput, 'history' | 'redact'> {
  readonly row: string;
  readonly types: readonly string[];
  readonly order: Precedence;
}

/** Returns the condition Ready, whose predecessors are the conditions without a successor. */
function readyOf(workspace: Workspace, { row, types, order, history, redact }: ReadyInput): ConditionView {
  const { status, reason, lastTransitionTime } = conditionOf(workspace, 'Ready');
  const after = types.filter((type) => !types.some((other) => order.before(other).includes(type)));
  const waitsFor = status === 'True' ? [] : types.filter((type) => !isCompletedForSpec(workspace, type));
  return {
    type: 'Ready',
    integration: undefined,
    status,
    reason: redact(reason),
    since: lastTransitionTime,
    after,
    waitsFor,
    next: waitsFor.length > 0 ? `wait for ${waitsFor.join(', ')}` : 'nothing',
    policy: undefined,
    claimed: false,
    journal: undefined,
    outputs: [],
    spans: history.spansOf(row, 'Ready').map((span) => ({ ...span, reason: redact(span.reason) })),
  };
}
