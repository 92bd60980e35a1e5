import { holderOf, nothingBegun, type ProviderHost, statusPatch, waitsForOf } from '../../sdk/host/index.ts';
import {
  type Integration,
  type JsonPatchOperation,
  mirrorAnnotation,
  pointer,
  test,
  timestamp,
  type Workspace,
} from '../../sdk/index.ts';
import { patched } from './moves.ts';
import { summaryOf } from './phase.ts';
import { doubtfulEntriesOf, effectiveWorkspace, remainingOf } from './plan/effective-journal.ts';
import { endedOf, requestedOf, untouchedOf } from './plan/requested-integrations.ts';

/** Returns the tests under which the journal may record that nothing was begun: finalizers and mirrors, those of former conditions too, are unchanged. */
function untouchedTests(trusted: Workspace, untouched: readonly Integration[]): readonly JsonPatchOperation[] {
  if (untouched.length === 0) return [];
  const { finalizers = [], annotations } = trusted.metadata;
  const mirrors = untouched
    .flatMap((integration) => [integration, ...remainingOf(trusted, integration)])
    .map(({ condition }) => mirrorAnnotation(condition));
  return [
    test('/metadata/finalizers', finalizers.length === 0 ? null : finalizers),
    ...(annotations === undefined
      ? [test('/metadata/annotations', null)]
      : mirrors.map((name) => test(pointer('metadata', 'annotations', name), annotations[name]))),
  ];
}

/**
 * Adds each missing condition as `Initialized` when a workspace, or an integration that it requests, is first observed, and journals in the same patch
 * for which of them nothing was begun yet. That is certain only before they are claimed, or where the entry or mirror of a former condition is there: else a claim
 * without a journal entry means that the entry was lost.
 * @throws StaleError if a concurrent writer was faster
 */
export function initialize(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const now = host.clock.now();
  const types = new Set(requestedOf(workspace, integrations).map(({ condition }) => condition));
  const ended = new Set(endedOf(workspace, integrations).map(({ condition }) => condition));
  const { phase, observedGeneration, conditions } = summaryOf(workspace, integrations, { confirmed: new Set(), now });
  const kept = conditions.filter(({ type }) => !ended.has(type));
  const slots = [...types]
    .filter((condition) => !kept.some(({ type }) => type === condition))
    .map((type) => ({
      type,
      status: 'Initialized' as const,
      reason: 'not started',
      lastTransitionTime: timestamp(now),
    }));
  const begun = [...slots, ...kept];
  const waitsFor = waitsForOf({ ...workspace, status: { conditions: begun } });
  const trusted = effectiveWorkspace(host, workspace, integrations);
  const untouched = untouchedOf(trusted, integrations);
  const notes = untouched.map(({ condition }) => [
    condition,
    nothingBegun(workspace, condition, {
      holder: host.holder,
      nonce: holderOf(host),
      now,
      newest: host.fencingTokens.of(workspace, condition),
    }),
  ]);
  const changes = statusPatch(workspace, (status) => {
    status.guards = {
      ...status.guards,
      ...doubtfulEntriesOf(host, workspace, untouched),
      ...Object.fromEntries(notes),
    };
    Object.assign(status, { phase, observedGeneration, conditions: begun });
    if (waitsFor !== (status.waitsFor ?? '')) status.waitsFor = waitsFor;
  });
  return patched(host, workspace, { operations: [...untouchedTests(trusted, untouched), ...changes], status: true });
}
