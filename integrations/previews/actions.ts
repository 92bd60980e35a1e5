/** Carries out the decisions about previews. */

import { type Client, type ObjectList, Workspace } from '../../sdk/index.ts';
import type { PreviewAction, PreviewManifest } from './plan.ts';
import { appliedManifestAnnotation, manifestDigest } from './preview-labels.ts';

/** Field manager of what the template asks for. */
export const fieldManager = 'sequencer-previews';

/** Cluster, and the namespace of the previews. */
export interface ActionContext {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

const marked = (manifest: PreviewManifest) => {
  const { metadata, spec } = manifest;
  const annotations = { ...metadata.annotations, [appliedManifestAnnotation]: manifestDigest(manifest) };
  return { metadata: { ...metadata, annotations }, spec };
};

/** Entry of `metadata.managedFields`. */
interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
}

interface LiveObject {
  readonly name: string;
  readonly uid: string;
}

/**
 * Makes the fields that a create has set ours by apply, as `kubectl apply --server-side` does with those of a client-side apply: an apply removes
 * only what an earlier apply has set.
 * @throws InvalidError when it is another object, or its first managers have changed meanwhile
 */
async function ownByApply({ client, namespace, signal }: ActionContext, { name, uid }: LiveObject): Promise<void> {
  const { group, version, plural } = Workspace;
  const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}?fieldSelector=metadata.name%3D${name}`;
  // A list, since the client's own reads leave managedFields out, and previews need no right to get Workspaces.
  const { items } = (await client.raw('GET', path, undefined, { signal })) as ObjectList<Workspace>;
  const { managedFields = [] } = items[0]?.metadata ?? {};
  const ours = (managedFields as readonly ManagedFields[]).map(({ manager, operation }) =>
    manager === fieldManager ? operation : undefined,
  );
  const at = ours.indexOf('Update');
  if (at === -1 || ours.includes('Apply')) return;
  const entry = `/metadata/managedFields/${at}`;
  const operations = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: `${entry}/manager`, value: fieldManager },
    { op: 'test', path: `${entry}/operation`, value: 'Update' },
    { op: 'replace', path: `${entry}/operation`, value: 'Apply' },
  ] as const;
  await client.patch(Workspace, { namespace, name }, { type: 'json', operations }, { fieldManager, signal });
}

/** Applies a manifest to the very object with that uid: another of its name is left alone. @throws ConflictError when it is gone, InvalidError when it is another */
async function apply(context: ActionContext, uid: string, manifest: PreviewManifest): Promise<void> {
  const { client, namespace, signal } = context;
  const { metadata, spec } = marked(manifest);
  await ownByApply(context, { name: metadata.name, uid });
  const apiVersion = `${Workspace.group}/${Workspace.version}`;
  const value = { apiVersion, kind: Workspace.kind, metadata: { ...metadata, uid }, spec };
  const options = { fieldManager, fieldValidation: 'Strict', signal } as const;
  await client.patch(Workspace, { namespace, name: metadata.name }, { type: 'apply', value, force: true }, options);
}

/**
 * Carries out one action. A preview is created whole, by one request that fails if the name is taken; changes are applied by server-side apply: what
 * the template no longer has goes, and what others have added stays. Each may be cut short, and is finished by the next plan.
 * @throws AlreadyExistsError, ConflictError when something has changed meanwhile: decide again; InvalidError for a template that the server refuses
 */
export async function carryOut(context: ActionContext, action: PreviewAction): Promise<void> {
  const { client, namespace, signal } = context;
  if (action.op === 'delete') {
    const key = { namespace, name: action.name };
    await client.delete(Workspace, key, { preconditions: { uid: action.uid }, signal });
    return;
  }
  const { manifest } = action;
  if (action.op === 'update') return apply(context, action.uid, manifest);
  await client.create(Workspace, marked(manifest), { fieldManager, fieldValidation: 'Strict', signal });
}
