/** Carries out the decisions about previews. */

import { type Client, Workspace } from '../../sdk/index.ts';
import { appliedManifestAnnotation, manifestDigest } from './marks.ts';
import type { PreviewAction, PreviewManifest } from './plan.ts';

/** Field manager of what the template asks for. */
export const fieldManager = 'sequencer-previews';

/** Cluster, and the namespace of the previews. */
export interface ActionContext {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Applies a manifest to the very object with that uid: another of its name is left alone. @throws ConflictError when it is gone, InvalidError when it is another */
async function apply({ client, signal }: ActionContext, uid: string, manifest: PreviewManifest): Promise<void> {
  const { namespace = 'default', name } = manifest.metadata;
  const annotations = { ...manifest.metadata.annotations, [appliedManifestAnnotation]: manifestDigest(manifest) };
  const value = {
    apiVersion: `${Workspace.group}/${Workspace.version}`,
    kind: Workspace.kind,
    metadata: { ...manifest.metadata, uid, annotations },
    spec: manifest.spec,
  };
  const options = { fieldManager, fieldValidation: 'Strict', signal } as const;
  await client.patch(Workspace, { namespace, name }, { type: 'apply', value, force: true }, options);
}

/**
 * Carries out one action. A preview is created with its marks only, which fails if the name is taken, and then applied by server-side apply: what the
 * template no longer has goes, and what others have added stays. Each may be cut short, and is finished by the next plan.
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
  const { name, labels = {}, annotations = {} } = manifest.metadata;
  const bare = { metadata: { name, namespace, labels, annotations }, spec: {} };
  const { metadata } = await client.create(Workspace, bare, { fieldManager, signal });
  await apply(context, metadata.uid ?? '', manifest);
}
