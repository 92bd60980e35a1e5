/** Crud resources for ConfigMaps and Secrets, as in operatorkit. */

import type { Kind } from '../../api/kind.ts';
import { ConfigMap, Secret } from '../../api/kinds.ts';
import { type KubeObject, keyOf, objectKeyOf } from '../../api/object.ts';
import { withFoldedStringData } from '../../api/secret-data.ts';
import type { NewObject } from '../../client/client.ts';
import { AlreadyExistsError } from '../../errors.ts';
import { preconditionedPatch, uidPrecondition } from '../preconditions.ts';
import type { Present } from '../reconciler.ts';
import { type Json, mergePatch } from '../three-way.ts';
import { type Cancellation, crud } from './crud.ts';
import type { OperationReconciler } from './operations.ts';

/** Options of {@link configMapResource} and {@link secretResource}. */
export interface ConfigResourceOptions<T extends KubeObject, R extends KubeObject> {
  readonly name: string;
  /** Returns the existing objects that belong to the reconciled one; those that are not desired are deleted. */
  getCurrentState(request: Present<T>): Promise<readonly R[] | Cancellation> | readonly R[] | Cancellation;
  getDesiredState(request: Present<T>): Promise<readonly R[] | Cancellation> | readonly R[] | Cancellation;
  /** Names of labels that other clients may set; they are kept. @default [] */
  readonly allowedLabels?: readonly string[];
}

interface ConfigUpdate<R> {
  readonly current: R;
  readonly value: object;
}

const jsonOf = (value: object | undefined): Json => (value ?? {}) as Json;

/** Returns the content of an object as the server stores it, without metadata. */
function contentOf(object: KubeObject): { readonly [member: string]: Json } {
  const { data, binaryData, immutable, type } = withFoldedStringData(object) as KubeObject & {
    readonly [member: string]: object | undefined;
  };
  const more = Object.entries({ binaryData, immutable, type }).filter(([, value]) => value !== undefined);
  return { data: jsonOf(data), ...(Object.fromEntries(more) as object) };
}

/** Returns the merge patch to the desired state; undefined when nothing differs. Annotations of other clients stay. */
function changeOf(current: KubeObject, desired: KubeObject, allowed: readonly string[]): object | undefined {
  const { labels: present = {}, annotations = {} } = current.metadata;
  const kept = Object.entries(present).filter(([name]) => allowed.includes(name));
  const next = {
    ...contentOf(current),
    ...contentOf(desired),
    metadata: {
      labels: { ...Object.fromEntries(kept), ...desired.metadata.labels },
      annotations: { ...annotations, ...desired.metadata.annotations },
    },
  };
  return mergePatch({ ...contentOf(current), metadata: { labels: present, annotations } }, next) as object | undefined;
}

const ignoreError =
  (harmless: new (...args: never) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof harmless)) throw error;
  };

/**
 * Creates a crud resource over lists of one kind, compared by namespace and name: missing objects are created, surplus ones deleted, differing ones
 * updated.
 */
function configResource<T extends KubeObject, R extends KubeObject>(
  kind: Kind<R>,
  { allowedLabels = [], ...options }: ConfigResourceOptions<T, R>,
): OperationReconciler<T> {
  const byKey = (list: readonly R[]) => new Map(list.map((object) => [keyOf(object.metadata), object]));
  return crud<T, readonly R[], readonly R[], readonly R[], readonly ConfigUpdate<R>[], readonly R[]>({
    ...options,
    newUpdatePatch(current, desired) {
      const [existing, wanted] = [byKey(current), byKey(desired)];
      return {
        create: desired.filter(({ metadata }) => !existing.has(keyOf(metadata))),
        update: [...wanted].flatMap(([key, object]) => {
          const found = existing.get(key);
          const value = found && changeOf(found, object, allowedLabels);
          return found === undefined || value === undefined ? [] : [{ current: found, value }];
        }),
        delete: current.filter(({ metadata }) => !wanted.has(keyOf(metadata))),
      };
    },
    newDeletePatch: (current) => ({ delete: current }),
    async applyCreateChange(objects, { client, signal }) {
      for (const object of objects)
        await client.create<R>(kind, object as NewObject<R>, { signal }).catch(ignoreError(AlreadyExistsError));
    },
    async applyUpdateChange(updates, { client, signal }) {
      for (const { current, value } of updates) {
        await client.patch(kind, objectKeyOf(current), preconditionedPatch(current, value), { signal });
      }
    },
    async applyDeleteChange(objects, { client, signal }) {
      for (const object of objects) {
        await client.delete(kind, objectKeyOf(object), { signal, ...uidPrecondition(object) });
      }
    },
  });
}

/**
 * Creates a crud resource for ConfigMaps. Creating an existing ConfigMap and deleting an absent one succeed; see {@link crud}.
 * @throws ConflictError when a ConfigMap has changed since it was read
 */
export const configMapResource = <T extends KubeObject>(
  options: ConfigResourceOptions<T, ConfigMap>,
): OperationReconciler<T> => configResource(ConfigMap, options);

/** Creates a crud resource for Secrets, like {@link configMapResource}: `stringData` is compared as the `data` that the server derives from it. */
export const secretResource = <T extends KubeObject>(
  options: ConfigResourceOptions<T, Secret>,
): OperationReconciler<T> => configResource(Secret, options);
