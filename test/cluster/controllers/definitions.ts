import type { ResourceInfo } from '../kinds/resource-info.ts';
import { type Machinery, timestampOf } from '../machinery.ts';
import { type ApiObject, type Draft, draftOf, equal, type Fields } from '../objects/object.ts';
import { updateObject } from '../objects/write.ts';
import { type Conversion, type Resource, resourceOf } from '../registry.ts';
import { resourceInfosOf } from '../schema/definition.ts';
import { cleanupFinalizer } from '../strategies/definition.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { Controller } from './loop.ts';

/** Where definitions are stored. */
export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

interface Names {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

interface Spec {
  readonly group: string;
  readonly scope: string;
  readonly names: Names;
  readonly versions: readonly Version[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

const specOf = (crd: ApiObject): Spec => crd.spec as Spec;

/** Objects are stored at one version; each version shows them with its own schema applied: unknown fields gone, defaults there. */
function conversionOf({ rules }: Machinery, info: ResourceInfo): Conversion {
  const own = `${info.group}/${info.version}`;
  const stored = `${info.group}/${info.custom!.storageVersion}`;
  return {
    isReady: () => rules.loaded(info) !== undefined,
    fromStored: (object) => {
      const draft: Draft = { ...draftOf(object), apiVersion: own };
      const known = rules.loaded(info);
      return known === undefined
        ? draft
        : ({ ...known.defaults(known.decode(draft).object), metadata: draft.metadata } as Draft);
    },
    toStored: (draft) => ({ ...draft, apiVersion: stored }),
  };
}

const servedBy = (machinery: Machinery, crd: ApiObject): Resource[] =>
  resourceInfosOf(crd as unknown as Fields).map((info) =>
    resourceOf(info, `${info.group}/${info.plural}`, conversionOf(machinery, info)),
  );

const conditionsOf = (crd: ApiObject): readonly Condition[] =>
  (crd.status as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];

/** Accepts a definition's names and establishes it. */
function establishedStatus(crd: ApiObject, now: string): object {
  const { names, versions } = specOf(crd);
  const condition = (type: string, reason: string, message: string): Condition =>
    conditionsOf(crd).find((known) => known.type === type && known.status === 'True') ?? {
      type,
      status: 'True',
      reason,
      message,
      lastTransitionTime: now,
    };
  const stored = (crd.status as { storedVersions?: readonly string[] } | undefined)?.storedVersions ?? [];
  const storage = versions.find((version) => version.storage)?.name;
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: names,
    storedVersions: storage === undefined || stored.includes(storage) ? stored : [...stored, storage],
  };
}

/** Serves what definitions define: names accepted, established, and when they go, their objects with them. */
export function definitionController(machinery: Machinery, definitionResource: Resource): Controller {
  const { store, registry, clock } = machinery;
  const served = new Map<string, readonly Resource[]>();

  const serve = (crd: ApiObject): void => {
    const before = served.get(crd.metadata.name) ?? [];
    const now = servedBy(machinery, crd);
    for (const old of before) {
      if (!now.some(({ apiVersion, info }) => apiVersion === old.apiVersion && info.plural === old.info.plural))
        registry.remove(old);
    }
    for (const resource of now) registry.add(resource);
    served.set(crd.metadata.name, now);
  };

  const establish = (crd: ApiObject): void => {
    const status = establishedStatus(crd, timestampOf(clock.now()));
    if (!equal(status, crd.status)) {
      updateObject(machinery, { resource: definitionResource, subresource: 'status' }, crd, {
        ...draftOf(crd),
        status,
      });
    }
    serve(crd);
  };

  const cleanUp = (crd: ApiObject): void => {
    const [resource] = served.get(crd.metadata.name) ?? servedBy(machinery, crd);
    const left = resource === undefined ? [] : store.page(resource.collection, { prefix: '' }).objects;
    for (const object of left)
      if (object.metadata.deletionTimestamp === undefined) deleteObject(machinery, resource!, object, {});
    if (resource !== undefined && store.count(resource.collection) > 0) return;
    const draft = draftOf(crd);
    draft.metadata.finalizers = (crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
    updateObject(machinery, { resource: definitionResource }, crd, draft);
  };

  const terminatingWith = (collection: string): ApiObject | undefined => {
    for (const [name, [resource]] of served) {
      if (resource?.collection !== collection) continue;
      const crd = store.get(definitions, name);
      return crd?.metadata.finalizers?.includes(cleanupFinalizer) && crd.metadata.deletionTimestamp ? crd : undefined;
    }
    return undefined;
  };

  return ({ collection, key, type }) => {
    if (collection !== definitions) {
      const crd = type === 'DELETED' ? terminatingWith(collection) : undefined;
      if (crd !== undefined && store.count(collection) === 0) cleanUp(crd);
      return;
    }
    const crd = store.get(definitions, key);
    if (crd === undefined) {
      for (const resource of served.get(key) ?? []) registry.remove(resource);
      served.delete(key);
    } else if (crd.metadata.deletionTimestamp === undefined) establish(crd);
    else if (crd.metadata.finalizers?.includes(cleanupFinalizer)) cleanUp(crd);
  };
}
