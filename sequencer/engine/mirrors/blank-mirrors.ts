/** Mirrors of claims: empty ones, which identify the workspace in a backup before anything is made. */

import {
  encodeMirror,
  isMirrored,
  mirrorPatch,
  type ProviderHost,
  readMirror,
  recordIdentity,
  recordsNothing,
  removeMirror,
} from '../../../sdk/host/index.ts';
import {
  add,
  claimOf,
  type Integration,
  type JsonPatchOperation,
  pointer,
  test,
  type Workspace,
} from '../../../sdk/index.ts';
import { effectiveWorkspace, formerConditionsOf, formerMirrorsOf } from '../plan/effective-journal.ts';
import { isClaimed } from '../plan/shared-condition.ts';

/** Returns an empty mirror of a condition: it identifies the workspace and its earlier uids in a backup. */
function blankMirror(host: ProviderHost, workspace: Workspace, { name, condition: type }: Integration) {
  const seal = host.seal();
  const scope = { type, claim: claimOf(name) };
  const known = workspace.status?.guards?.[type]?.formerly;
  const identity = recordIdentity({ seal, workspace, scope }, readMirror(seal, workspace, type), known);
  return encodeMirror(seal, { ...identity, token: 0, refs: [], requestMs: 0 });
}

/** Reports whether a condition's journal entry records something: an empty mirror would contradict it once the status is lost. */
function recordsSomething({ status }: Workspace, { condition }: Integration): boolean {
  const entry = status?.guards?.[condition];
  return entry !== undefined && !recordsNothing(entry);
}

/**
 * Returns the patch that adds an empty mirror for each integration to claim, which identifies the workspace in a backup. Empty without a key to sign; an
 * integration with a journal entry that records something, or that has to end a former condition first, is skipped.
 */
export function blankMirrors(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly JsonPatchOperation[] {
  const trusted = effectiveWorkspace(host, workspace, integrations);
  const { annotations } = workspace.metadata;
  const bare = integrations.filter(
    (integration) =>
      !isMirrored(workspace, integration.condition) &&
      !recordsSomething(workspace, integration) &&
      formerConditionsOf(trusted, integration).length === 0,
  );
  if (bare.length === 0 || host.seal().sign('') === undefined) return [];
  const texts = bare.map((integration) => blankMirror(host, workspace, integration));
  const all = Object.assign({}, ...texts) as Readonly<Record<string, string>>;
  if (annotations === undefined) return [test('/metadata/annotations', null), add('/metadata/annotations', all)];
  return Object.entries(all).flatMap(([annotation, text]) => {
    const path = pointer('metadata', 'annotations', annotation);
    return [test(path, null), add(path, text)];
  });
}

/** Integrations to release, and all that are registered. */
export interface Released {
  readonly released: readonly Integration[];
  readonly registered: readonly Integration[];
}

/**
 * Returns patches that remove the mirrors of released conditions, and of their former conditions. A mirror that names another claimed integration stays: it
 * may be the only record of what that has begun. If another integration still claims the condition, an empty mirror replaces the old one. It identifies
 * the workspace in a backup.
 */
export function releasedMirrors(
  host: ProviderHost,
  workspace: Workspace,
  { released, registered }: Released,
): readonly JsonPatchOperation[] {
  const staying = registered.filter((one) => isClaimed(workspace, one) && !released.includes(one));
  const mirrored = released.flatMap((integration) => [integration, ...formerMirrorsOf(workspace, integration)]);
  return [...new Set(mirrored.map(({ condition }) => condition))].flatMap((type) => {
    const mirror = readMirror(host.seal(), workspace, type);
    const named = mirror.kind === 'own' ? mirror.record.claim : undefined;
    if (staying.some(({ name }) => claimOf(name) === named)) return [];
    const successor = staying.find(({ condition }) => condition === type);
    if (successor === undefined || host.seal().sign('') === undefined) return removeMirror(workspace, type);
    return mirrorPatch(workspace, type, blankMirror(host, workspace, successor));
  });
}
