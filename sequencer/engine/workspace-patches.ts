/** Moves of a walk that patch the workspace: they claim, release, orphan, resolve, and drop conditions. */

import {
  effectivePolicyOf,
  entryForClaim,
  isMirrored,
  isOfOtherClaim,
  isResolutionTrusted,
  isServerRefusal,
  mirrorPatch,
  newHolder,
  operationKey,
  outcomePatch,
  type ProviderHost,
  readMirror,
  reportingRefusal,
  resolutionOf,
  resolutionText,
  resolvedWrite,
  type Scope,
  sealSecretName,
  statusPatch,
} from '../../sdk/host/index.ts';
import {
  addFinalizer,
  claimOf,
  createController,
  type Integration,
  isDeleting,
  type JsonPatchOperation,
  mirrorAnnotation,
  NotFoundError,
  objectKeyOf,
  patchTested,
  pointer,
  remove,
  removeCondition,
  resolveAnnotation,
  test,
  Workspace,
} from '../../sdk/index.ts';
import { blankMirrors, type Released, releasedMirrors } from './mirrors/blank-mirrors.ts';
import { isUnusedOnDeletion } from './plan/is-gone.ts';
import { isClaimed } from './plan/shared-condition.ts';
import { noteClaims, reportRemovedClaims } from './removed-claims.ts';
import { isLasting } from './walk-result.ts';

/**
 * Sends a patch with tests of the state that was decided on; no request for an empty one. @throws StaleError if a concurrent writer was faster,
 * RefusedError
 */
export async function patchWorkspace(
  host: ProviderHost,
  workspace: Workspace,
  change: { readonly operations: readonly JsonPatchOperation[]; readonly status: boolean },
): Promise<Workspace> {
  const { operations, status } = change;
  if (operations.length === 0) return workspace;
  const patch = { kind: Workspace, key: objectKeyOf(workspace), operations };
  return reportingRefusal(host.observer, change, () =>
    patchTested(host.client, patch, status ? { subresource: 'status' } : {}),
  );
}

/** Writes the changes that a recipe makes to the status; no request when nothing changes. */
export const writeStatus = (
  host: ProviderHost,
  workspace: Workspace,
  recipe: Parameters<typeof statusPatch>[1],
): Promise<Workspace> => patchWorkspace(host, workspace, { operations: statusPatch(workspace, recipe), status: true });

/** Reports writes of the sequencer itself that the server keeps refusing or failing, as for a webhook that does not answer; those of an integration are in its condition. */
export function reportRefused(
  {
    host,
    workspace,
    attempt,
  }: { readonly host: ProviderHost; readonly workspace: Workspace; readonly attempt: number },
  error: unknown,
): void {
  if (isServerRefusal(error) || isLasting(error, attempt))
    host.events.event(workspace, 'Warning', 'WriteRefused', error.message);
}

/** Renews the journal entries of conditions that are claimed again; no request where there are none. */
const renewEntries: typeof claim = async (host, workspace, integrations) => {
  const renewed = integrations.flatMap(({ name, condition }) => {
    const entry = workspace.status?.guards?.[condition];
    if (entry === undefined || entry.phase === 'none' || isOfOtherClaim(entry, claimOf(name))) return [];
    const key = operationKey(workspace, `${condition}/${newHolder(host)}`, 0);
    const next = entryForClaim(entry, { mirror: readMirror(host.seal(), workspace, condition), key });
    return next === entry ? [] : [[condition, next]];
  });
  return writeStatus(host, workspace, (status) => {
    if (renewed.length > 0) status.guards = { ...status.guards, ...Object.fromEntries(renewed) };
  });
};

/** Adds the finalizers of these integrations in one patch; without mirrors if the server refuses those. */
export async function claim(
  host: ProviderHost,
  workspaceToClaim: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  reportRemovedClaims(host, workspaceToClaim, integrations);
  const workspace = await renewEntries(host, workspaceToClaim, integrations);
  const claims = new Set(integrations.map(({ name }) => claimOf(name))); // an integration is listed once for each of its conditions
  const finalizers = addFinalizer(workspace, ...claims);
  const mirrors = blankMirrors(host, workspace, integrations);
  const added = async (operations: readonly JsonPatchOperation[]): Promise<Workspace> => {
    const answer = await patchWorkspace(host, workspace, { operations, status: false });
    noteClaims(host, answer, integrations);
    return answer;
  };
  try {
    return await added([...finalizers, ...mirrors]);
  } catch (error) {
    if (mirrors.length === 0 || !isServerRefusal(error)) throw error;
    return added(finalizers);
  }
}

/** Returns the tests that nothing was begun: the journal entry is unchanged, and there is no newer mirror. */
function untouchedTests({ metadata, status }: Workspace, type: string): readonly JsonPatchOperation[] {
  const mirror = pointer('metadata', 'annotations', mirrorAnnotation(type));
  return [
    test(pointer('status', 'guards', type), status?.guards?.[type]),
    metadata.annotations === undefined
      ? test('/metadata/annotations', null)
      : test(mirror, metadata.annotations[mirrorAnnotation(type)]),
  ];
}

/** Returns the tests for a release: everything is gone and no id was reported late; or no guard has begun, and the condition says so. */
function goneTests(workspace: Workspace, integration: Integration): readonly JsonPatchOperation[] {
  const { status } = workspace;
  const type = integration.condition;
  if (isUnusedOnDeletion(workspace, integration)) return untouchedTests(workspace, type);
  const index = status?.conditions?.findIndex((condition) => condition.type === type) ?? -1;
  const entry = status?.guards?.[type];
  if (entry !== undefined && entry.phase !== 'none')
    return [
      test(pointer('status', 'guards', type, 'phase'), 'gone'),
      test(pointer('status', 'guards', type, 'late'), null),
      test(pointer('status', 'guards', type, 'format'), entry.format),
    ];
  return [
    ...(status?.guards === undefined ? [] : [test(pointer('status', 'guards', type), entry)]),
    test(pointer('status', 'conditions', index, 'type'), type),
    test(pointer('status', 'conditions', index, 'status'), 'Terminated'),
  ];
}

/**
 * Removes the finalizers of these integrations in one patch and, on a workspace that stays, the mirrors of their conditions and of former ones.
 * A workspace that is gone already counts as success.
 */
export async function release(
  host: ProviderHost,
  workspace: Workspace,
  { released, registered }: Released,
): Promise<Workspace> {
  const { uid, finalizers = [] } = workspace.metadata;
  const claims = [...new Set(released.map(({ name }) => claimOf(name)))];
  const held = claims.map((claim) => ({ claim, index: finalizers.indexOf(claim) })).sort((a, b) => b.index - a.index);
  const pathOf = (index: number) => pointer('metadata', 'finalizers', index);
  const operations = [
    test('/metadata/uid', uid),
    ...held.map(({ claim, index }) => test(pathOf(index), claim)),
    ...released.flatMap((integration) => goneTests(workspace, integration)),
    ...held.map(({ index }) => remove(pathOf(index))), // the last first: a removal shifts what comes after it
    ...(isDeleting(workspace) ? [] : releasedMirrors(host, workspace, { released, registered })),
  ];
  try {
    return await patchWorkspace(host, workspace, { operations, status: false });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const left = finalizers.filter((name) => !claims.includes(name));
    return { ...workspace, metadata: { ...workspace.metadata, finalizers: left } };
  }
}

/** Removes a condition that is no longer requested; its journal stays, so that operation keys are never reused. */
export const dropCondition = (
  host: ProviderHost,
  workspace: Workspace,
  { condition }: Integration,
): Promise<Workspace> =>
  writeStatus(host, workspace, (status) => {
    status.conditions = [...removeCondition(status.conditions, condition)];
  });

/** Applies a person's resolution of an attempt and removes the annotation. Unsigned ids are not trusted. */
export async function applyResolution(
  host: ProviderHost,
  workspace: Workspace,
  { condition: type }: Integration,
): Promise<Workspace> {
  const resolution = resolutionOf(workspace, type);
  const seen = workspace.status?.guards?.[type];
  if (resolution === undefined || seen === undefined) return workspace;
  const path = pointer('metadata', 'annotations', resolveAnnotation(type));
  const { uid, annotations } = workspace.metadata;
  const operations = [test('/metadata/uid', uid), test(path, annotations?.[resolveAnnotation(type)]), remove(path)];
  if (!isResolutionTrusted(host.seal(), { workspace, type }, resolution)) {
    const advice =
      host.seal().sign('') === undefined
        ? `the operator has no key to check them by: give it its rights on the Secret ${sealSecretName}, or answer retry or orphan`
        : 'answer with `sequencer resolve`, which signs them';
    const message = `${type}: the ids of ${resolveAnnotation(type)} are not signed, and not taken for ours: ${advice}`;
    host.events.event(workspace, 'Warning', 'AnswerNotSigned', message);
    return patchWorkspace(host, workspace, { operations, status: false });
  }
  const forgets = resolution.verb === 'orphan' && isMirrored(workspace, type);
  const asked = forgets
    ? await patchWorkspace(host, workspace, { operations: mirrorPatch(workspace, type, undefined), status: false })
    : workspace;
  const write = resolvedWrite(asked, type, { resolution, now: host.clock.now() });
  const resolved = await patchWorkspace(host, asked, { operations: outcomePatch(asked, seen, write), status: true });
  const { signature: _, ...said } = { signature: undefined, ...resolution };
  host.events.event(resolved, 'Normal', 'GuardResolved', `${type}: ${resolutionText(said)}`);
  return patchWorkspace(host, resolved, { operations, status: false });
}

/** Carries out the policy `orphan` for a registered integration: forgets its external objects without calling it. */
export async function orphanObjects(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const controller = createController(host, workspace, scopeOf(workspace, integration, true));
  await controller.orphanAll();
  if (isClaimed(controller.workspace, integration)) return controller.workspace; // its release removes the mirror
  const operations = mirrorPatch(controller.workspace, integration.condition, undefined);
  return patchWorkspace(host, controller.workspace, { operations, status: false });
}

/** Returns the scope of an integration's controller. */
export const scopeOf = (workspace: Workspace, integration: Integration, terminating: boolean): Scope => ({
  type: integration.condition,
  claim: claimOf(integration.name),
  terminating,
  policy: effectivePolicyOf(workspace, integration).policy,
  outputs: integration.outputs,
  limits: integration.limits,
});
