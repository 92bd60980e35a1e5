/** Adds and removes the finalizers of integrations on a workspace. */

import {
  entryForNewClaim,
  isOfOtherClaim,
  isServerRefusal,
  newHolder,
  operationKey,
  type ProviderHost,
  readMirror,
  testMirror,
} from '../../../sdk/host/index.ts';
import {
  addFinalizer,
  claimOf,
  type Integration,
  isDeleting,
  type JsonPatchOperation,
  NotFoundError,
  pointer,
  remove,
  test,
  type Workspace,
} from '../../../sdk/index.ts';
import { blankMirrors, type Released, releasedMirrors } from '../mirrors/blank-mirrors.ts';
import { isUnusedOnDeletion } from '../plan/is-gone.ts';
import { patchWorkspace, writeStatus } from '../workspace-patches.ts';
import { rememberFinalizers, reportRemovedFinalizers } from './removed-finalizers.ts';

/** Renews the journal entries of conditions that are claimed again; no request where there are none. */
const renewEntries: typeof addIntegrationFinalizers = async (host, workspace, integrations) => {
  const renewed = integrations.flatMap(({ name, condition }) => {
    const entry = workspace.status?.guards?.[condition];
    if (entry === undefined || entry.phase === 'none' || isOfOtherClaim(entry, claimOf(name))) return [];
    const key = operationKey(workspace, `${condition}/${newHolder(host)}`, 0);
    const next = entryForNewClaim(entry, { mirror: readMirror(host.seal(), workspace, condition), key });
    return next === entry ? [] : [[condition, next]];
  });
  return writeStatus(host, workspace, (status) => {
    if (renewed.length > 0) status.guards = { ...status.guards, ...Object.fromEntries(renewed) };
  });
};

/** Adds the finalizers of these integrations in one patch; without mirrors if the server refuses those. */
export async function addIntegrationFinalizers(
  host: ProviderHost,
  read: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  reportRemovedFinalizers(host, read, integrations);
  const workspace = await renewEntries(host, read, integrations);
  const claims = new Set(integrations.map(({ name }) => claimOf(name))); // an integration is listed once for each of its conditions
  const finalizers = addFinalizer(workspace, ...claims);
  const mirrors = blankMirrors(host, workspace, integrations);
  const added = async (operations: readonly JsonPatchOperation[]): Promise<Workspace> => {
    const answer = await patchWorkspace(host, workspace, { operations, status: false });
    rememberFinalizers(host, answer, integrations);
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
const untouchedTests = (workspace: Workspace, type: string): readonly JsonPatchOperation[] => [
  test(pointer('status', 'guards', type), workspace.status?.guards?.[type]),
  testMirror(workspace, type),
];

/** Returns the tests for a release: everything is gone and no id was reported late; or no guard has begun, as the condition shows. */
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
export async function removeIntegrationFinalizers(
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
