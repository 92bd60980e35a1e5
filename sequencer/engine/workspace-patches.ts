/** Moves of a walk that patch the workspace: they orphan, resolve, and drop conditions. */

import {
  effectivePolicyOf,
  isMirrored,
  isResolutionTrusted,
  isServerRefusal,
  mirrorPatch,
  outcomePatch,
  type ProviderHost,
  reportingRefusal,
  resolutionOf,
  resolutionText,
  resolvedWrite,
  type Scope,
  sealSecretName,
  statusPatch,
} from '../../sdk/host/index.ts';
import {
  claimOf,
  createController,
  type Integration,
  type JsonPatchOperation,
  objectKeyOf,
  patchTested,
  pointer,
  remove,
  removeCondition,
  resolveAnnotation,
  test,
  Workspace,
} from '../../sdk/index.ts';
import { isClaimed } from './plan/shared-condition.ts';
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
    const message = `${type}: the ids of ${resolveAnnotation(type)} are not signed, and not trusted: ${advice}`;
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
