/** Applies and deletes the objects of manifests. */

import {
  AlreadyExistsError,
  ApiError,
  type Client,
  ForbiddenError,
  isDeleting,
  type Kind,
  type KubeObject,
  keyOf,
  NotFoundError,
  type ObjectKey,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import type { LocatedManifest } from '../args/manifests.ts';
import { unknownFieldLines, unknownFields } from '../args/unknown-fields.ts';
import { causesOf } from '../output/report.ts';

/** Applied object. */
export interface Applied {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** True when it existed before: then it is not deleted again, unless it is a workspace. */
  readonly existed: boolean;
}

/** Options of {@link applyAll}. */
export interface ApplyOptions {
  /** Namespace of objects without one. */
  readonly namespace: string;
  /** Aborts between two objects: a write that has begun is completed and reported. */
  readonly signal: AbortSignal;
  /** Called after each object. */
  readonly onApplied?: (applied: Applied) => void;
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

const kindHint = 'check apiVersion and kind; if they are right, apply the CustomResourceDefinition of the kind first';

type KindLookup = (object: KubeObject) => Promise<Kind>;

const splitVersion = (apiVersion: string): { readonly group: string; readonly version: string } => {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
};

/** Looks up kinds by discovery; each group and version is read once, and again when a kind is missing. */
function kindLookup(client: Client, signal: AbortSignal): KindLookup {
  const known = new Map<string, ResourceList>();
  return async ({ apiVersion, kind }) => {
    const find = () => known.get(apiVersion)?.resources?.find((one) => one.kind === kind && !one.name.includes('/'));
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (find() === undefined)
      known.set(apiVersion, (await client.raw('GET', path, undefined, { signal })) as ResourceList);
    const found = find();
    if (found === undefined)
      throw new UserError('E#2023', `the server has no kind ${kind} in ${apiVersion}`, { hint: kindHint });
    return { ...splitVersion(apiVersion), kind, plural: found.name, namespaced: found.namespaced };
  };
}

/** Reports whether the object is a Workspace. */
export const isWorkspace = (object: KubeObject): object is Workspace =>
  object.kind === Workspace.kind && object.apiVersion === `${Workspace.group}/${Workspace.version}`;

/** Write options by which fields that the kind does not have are refused, not dropped. */
export const strictValidation = { fieldValidation: 'Strict' } as const;

async function applyOne(client: Client, kind: Kind, object: KubeObject): Promise<boolean> {
  try {
    await client.create(kind, object, strictValidation);
    return false;
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
  }
  const { name, namespace } = object.metadata;
  const existing = await client.get(kind, { name, ...(namespace !== undefined && { namespace }) });
  if (isDeleting(existing))
    throw new UserError(
      'E#2024',
      `${kind.kind} ${keyOf(existing.metadata)} exists and is being deleted; metadata.finalizers: ${existing.metadata.finalizers?.join(', ') ?? 'none'}`,
      { hint: 'try again after the deletion, which waits for the controllers of these finalizers' },
    );
  await client.patch(kind, existing.metadata, { type: 'merge', value: object }, strictValidation);
  return true;
}

/** Converts a failure into a UserError that names file and line. */
export async function locatedError(error: unknown, { where, object }: LocatedManifest): Promise<unknown> {
  const name = `${object.kind} ${keyOf(object.metadata)}`;
  if (error instanceof UserError) return new UserError(error.code, `${where}: ${error.message}`, error);
  if (error instanceof NotFoundError && error.status.details?.name === undefined)
    return new UserError(
      'E#2023',
      `${where}: the server has no kind ${object.kind} in ${object.apiVersion}: ${error.message}`,
      { hint: kindHint, cause: error },
    );
  if (!(error instanceof ApiError) || error instanceof ForbiddenError) return error;
  const unknown = await unknownFieldLines(unknownFields(error.message), isWorkspace(object));
  const causes = [...causesOf(error), ...unknown];
  const what = causes.length > 0 ? 'is invalid' : `was refused: ${error.message}`;
  return new UserError('E#2022', `${where}: ${name} ${what}`, {
    cause: error,
    ...(causes.length > 0 && { hint: causes.join('\n') }),
  });
}

/**
 * Creates each object, or patches the existing one, in order. Kinds other than Workspace are found by discovery.
 * @throws UserError E#2022 to E#2024 with file and line; else the client's errors. Objects applied before were reported through `onApplied`
 */
export async function applyAll(
  client: Client,
  manifests: readonly LocatedManifest[],
  { namespace, signal, onApplied }: ApplyOptions,
): Promise<readonly Applied[]> {
  const lookup = kindLookup(client, signal);
  const all: Applied[] = [];
  for (const manifest of manifests) {
    signal.throwIfAborted();
    try {
      const kind = isWorkspace(manifest.object) ? Workspace : await lookup(manifest.object);
      const object = inNamespace(manifest.object, kind, namespace);
      const key = { name: object.metadata.name, ...(kind.namespaced && { namespace: object.metadata.namespace! }) };
      const applied = { kind, key, existed: await applyOne(client, kind, object) };
      all.push(applied);
      onApplied?.(applied);
    } catch (error) {
      throw await locatedError(error, manifest);
    }
  }
  return all;
}

function inNamespace(object: KubeObject, kind: Kind, namespace: string): KubeObject {
  const { namespace: own, ...metadata } = object.metadata;
  if (!kind.namespaced) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, namespace: own ?? namespace } };
}

/** Returns the applied objects to delete in the end, last first. */
export const toDelete = (applied: readonly Applied[]): readonly Applied[] =>
  applied.filter(({ kind, existed }) => kind === Workspace || !existed).toReversed();

/** Requests the deletion of each object; a missing one counts as deleted. Does not wait for finalizers. */
export async function deleteAll(client: Client, applied: readonly Applied[], signal: AbortSignal): Promise<void> {
  for (const { kind, key } of applied) await client.delete(kind, key, { signal, propagation: 'Background' });
}
