import {
  add,
  addFinalizer,
  claimOf,
  createController,
  type Integration,
  isAnswerProven,
  isDeleting,
  isMirrored,
  isRefusal,
  type JsonPatchOperation,
  mirrorAnnotation,
  mirrorPatch,
  mirrorText,
  NotFoundError,
  objectKeyOf,
  type ProviderHost,
  patchTested,
  pointer,
  remove,
  removeCondition,
  resolutionOf,
  resolutionText,
  resolveAnnotation,
  resolvedSlot,
  ruleOf,
  type Scope,
  settlePatch,
  statusPatch,
  test,
  Workspace,
} from '../sdk/index.ts';
import { isUntouched } from './plan.ts';

/** Sends a patch that tests what was decided on; nothing when there is nothing to change. @throws StaleError if somebody else was faster, RefusedError */
export async function patched(
  host: ProviderHost,
  workspace: Workspace,
  change: { readonly operations: readonly JsonPatchOperation[]; readonly status: boolean },
): Promise<Workspace> {
  const { operations, status } = change;
  if (operations.length === 0) return workspace;
  const patch = { kind: Workspace, key: objectKeyOf(workspace), operations };
  return patchTested(host.client, patch, status ? { subresource: 'status' } : {});
}

/** Writes what a recipe changes of the status; nothing when nothing changes. */
export const writeStatus = (
  host: ProviderHost,
  workspace: Workspace,
  recipe: Parameters<typeof statusPatch>[1],
): Promise<Workspace> => patched(host, workspace, { operations: statusPatch(workspace, recipe), status: true });

/** Mirrors that say for whom the claims are: in a backup they tell which workspace it was. None where there is no key to sign them. */
function blankMirrors(
  { seal }: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly JsonPatchOperation[] {
  const { annotations, uid = '', namespace = '', name } = workspace.metadata;
  const bare = integrations.map(({ condition }) => condition).filter((type) => !isMirrored(workspace, type));
  if (bare.length === 0 || seal().sign('') === undefined) return [];
  const { cluster } = seal();
  const texts = bare.map((condition) => {
    const record = { ...{ cluster, namespace, name, uid, condition }, ...{ token: 0, refs: [], requestMs: 0 } };
    return [mirrorAnnotation(condition), mirrorText(seal(), record)] as const;
  });
  if (annotations === undefined)
    return [test('/metadata/annotations', null), add('/metadata/annotations', Object.fromEntries(texts))];
  return texts.flatMap(([annotation, text]) => {
    const path = pointer('metadata', 'annotations', annotation);
    return [test(path, null), add(path, text)];
  });
}

/** Adds the claims of all these integrations in one patch; without their mirrors where the server refuses these. */
export async function claim(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const finalizers = addFinalizer(workspace, ...integrations.map(({ name }) => claimOf(name)));
  const mirrors = blankMirrors(host, workspace, integrations);
  try {
    return await patched(host, workspace, { operations: [...finalizers, ...mirrors], status: false });
  } catch (error) {
    if (mirrors.length === 0 || !isRefusal(error)) throw error;
    return patched(host, workspace, { operations: finalizers, status: false });
  }
}

/** What a server tests where nothing was ever begun: that is still what the journal says, and no mirror knows better. */
function untouchedTests({ metadata, status }: Workspace, type: string): readonly JsonPatchOperation[] {
  const mirror = pointer('metadata', 'annotations', mirrorAnnotation(type));
  return [
    test(pointer('status', 'guards', type), status?.guards?.[type]),
    metadata.annotations === undefined
      ? test('/metadata/annotations', null)
      : test(mirror, metadata.annotations[mirrorAnnotation(type)]),
  ];
}

/** What a server tests before it lets a claim go: everything is gone, and nothing was learned late; or no guard has begun anything, and the condition says so. */
function goneTests(workspace: Workspace, integration: Integration): readonly JsonPatchOperation[] {
  const { status } = workspace;
  const type = integration.condition;
  if (isUntouched(workspace, integration)) return untouchedTests(workspace, type);
  const index = status?.conditions?.findIndex((condition) => condition.type === type) ?? -1;
  const entry = status?.guards?.[type];
  if (entry !== undefined && entry.phase !== 'none')
    return [
      test(pointer('status', 'guards', type, 'phase'), 'gone'),
      test(pointer('status', 'guards', type, 'late'), null),
    ];
  return [
    ...(status?.guards === undefined ? [] : [test(pointer('status', 'guards', type), entry)]),
    test(pointer('status', 'conditions', index, 'type'), type),
    test(pointer('status', 'conditions', index, 'status'), 'Terminated'),
  ];
}

/** Takes the claim away; on a workspace that stays, the mirror too. A workspace that is gone already is a success. */
export async function release(host: ProviderHost, workspace: Workspace, integration: Integration): Promise<Workspace> {
  const { uid, finalizers = [], annotations } = workspace.metadata;
  const finalizer = claimOf(integration.name);
  const path = pointer('metadata', 'finalizers', finalizers.indexOf(finalizer));
  const { condition } = integration;
  const mirror = mirrorAnnotation(condition);
  const isMirrorLeft = !isDeleting(workspace) && annotations?.[mirror] !== undefined;
  const operations = [
    test('/metadata/uid', uid),
    test(path, finalizer),
    ...goneTests(workspace, integration),
    remove(path),
    ...(isMirrorLeft ? [remove(pointer('metadata', 'annotations', mirror))] : []),
  ];
  try {
    return await patched(host, workspace, { operations, status: false });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return {
      ...workspace,
      metadata: { ...workspace.metadata, finalizers: finalizers.filter((name) => name !== finalizer) },
    };
  }
}

/** Drops a condition that nobody asks for any more; its journal stays, so that no operation key is ever used twice. */
export const forget = (host: ProviderHost, workspace: Workspace, { condition }: Integration): Promise<Workspace> =>
  writeStatus(host, workspace, (status) => {
    status.conditions = [...removeCondition(status.conditions, condition)];
  });

/** Carries out what a person has said about an attempt, and takes the answer away. Ids that are not signed are not believed. */
export async function resolve(
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
  if (!isAnswerProven(host.seal(), { workspace, type }, resolution)) {
    const message = `${type}: the ids of ${resolveAnnotation(type)} are not signed, and not taken for ours: answer with \`sequencer resolve\`, which signs them`;
    host.events.event(workspace, 'Warning', 'AnswerNotSigned', message);
    return patched(host, workspace, { operations, status: false });
  }
  const forgets = resolution.verb === 'orphan' && isMirrored(workspace, type);
  const asked = forgets
    ? await patched(host, workspace, { operations: mirrorPatch(workspace, type, undefined), status: false })
    : workspace;
  const slot = resolvedSlot(asked, type, { resolution, now: host.clock.now() });
  const resolved = await patched(host, asked, { operations: settlePatch(asked, seen, slot), status: true });
  const { signature: _, ...said } = { signature: undefined, ...resolution };
  host.events.event(resolved, 'Normal', 'GuardResolved', `${type}: ${resolutionText(said)}`);
  return patched(host, resolved, { operations, status: false });
}

/** What a controller is about, for an integration. */
export const scopeOf = (workspace: Workspace, integration: Integration, terminating: boolean): Scope => ({
  type: integration.condition,
  claim: claimOf(integration.name),
  terminating,
  policy: ruleOf(workspace, integration).policy,
  limits: integration.limits,
});

/** Gives up what is outside, as the policy says: the integration is not asked. */
export async function letGo(host: ProviderHost, workspace: Workspace, integration: Integration): Promise<Workspace> {
  const controller = createController(host, workspace, scopeOf(workspace, integration, true));
  await controller.letGo();
  return controller.workspace;
}
