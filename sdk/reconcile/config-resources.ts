import type { Kind } from '../api/kind.ts';
import { ConfigMap, Secret } from '../api/kinds.ts';
import { type KubeObject, keyOf, objectKeyOf } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import type { NewObject } from '../client/client.ts';
import { AlreadyExistsError } from '../errors.ts';
import { crud, type Leave } from './crud.ts';
import type { OperatedReconciler } from './named-operations.ts';
import { preconditionedPatch, uidPrecondition } from './preconditions.ts';
import type { Present } from './reconciler.ts';
import { type Json, mergePatch } from './three-way.ts';

/** What an author says about the ConfigMaps or Secrets of an object. */
export interface ConfigResourceOptions<T extends KubeObject, R extends KubeObject> {
  readonly name: string;
  /** Those that are there and ours: what is among them and not desired is deleted. */
  getCurrentState(request: Present<T>): Promise<readonly R[] | Leave> | readonly R[] | Leave;
  getDesiredState(request: Present<T>): Promise<readonly R[] | Leave> | readonly R[] | Leave;
  /** Labels that others may set and that stay. @default [] */
  readonly allowedLabels?: readonly string[];
}

interface ConfigUpdate<R> {
  readonly current: R;
  readonly value: object;
}

const plain = (value: object | undefined): Json => (value ?? {}) as Json;

/** What a server keeps of one, as far as an author decides about it. */
function contentOf(object: KubeObject): { readonly [member: string]: Json } {
  const { data, binaryData, immutable, type } = withFoldedStringData(object) as KubeObject & {
    readonly [member: string]: object | undefined;
  };
  const more = Object.entries({ binaryData, immutable, type }).filter(([, value]) => value !== undefined);
  return { data: plain(data), ...(Object.fromEntries(more) as object) };
}

/** The merge patch that makes one as desired; undefined when nothing differs. Annotations of others stay. */
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

const ignoring =
  (harmless: new (...args: never) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof harmless)) throw error;
  };

/** Lists of objects of one kind as a crud resource: by namespace and name, what is missing is made, what is surplus deleted, what differs changed. */
function configResource<T extends KubeObject, R extends KubeObject>(
  kind: Kind<R>,
  { allowedLabels = [], ...options }: ConfigResourceOptions<T, R>,
): OperatedReconciler<T> {
  const byKey = (list: readonly R[]) => new Map(list.map((object) => [keyOf(object.metadata), object]));
  return crud<T, readonly R[], readonly R[], readonly R[], readonly ConfigUpdate<R>[], readonly R[]>({
    ...options,
    newUpdatePatch(current, desired) {
      const [there, wanted] = [byKey(current), byKey(desired)];
      return {
        create: desired.filter(({ metadata }) => !there.has(keyOf(metadata))),
        update: [...wanted].flatMap(([key, object]) => {
          const found = there.get(key);
          const value = found && changeOf(found, object, allowedLabels);
          return found === undefined || value === undefined ? [] : [{ current: found, value }];
        }),
        delete: current.filter(({ metadata }) => !wanted.has(keyOf(metadata))),
      };
    },
    newDeletePatch: (current) => ({ delete: current }),
    async applyCreateChange(objects, { client, signal }) {
      for (const object of objects)
        await client.create<R>(kind, object as NewObject<R>, { signal }).catch(ignoring(AlreadyExistsError));
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

/** The ConfigMaps of an object, as a crud resource. One that exists already is no failure, nor is one that is gone; see {@link crud}. @throws ConflictError when one has changed since it was read */
export const configMapResource = <T extends KubeObject>(
  options: ConfigResourceOptions<T, ConfigMap>,
): OperatedReconciler<T> => configResource(ConfigMap, options);

/** The Secrets of an object, as a crud resource, like {@link configMapResource}: `stringData` counts as the `data` it becomes. */
export const secretResource = <T extends KubeObject>(
  options: ConfigResourceOptions<T, Secret>,
): OperatedReconciler<T> => configResource(Secret, options);
