import type { ResourceInfo } from '../kinds/resource-info.ts';
import { type Machinery, timestampOf } from '../machinery.ts';
import { deleteObject } from '../objects/delete.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, type Draft, draftOf, equal, type Fields } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import { type Conversion, type Resource, resourceOf } from '../registry.ts';
import { definitionSpecOf, resourceInfosOf } from '../schema/definition.ts';
import { cleanupFinalizer } from '../strategies/definition.ts';
import { apiServices, apiServicesOf } from './api-services.ts';
import { definitionStatus, isEstablished } from './definition-status.ts';
import type { Controller } from './reaction.ts';

/** Where definitions are stored. */
export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

const manager = 'kube-apiserver';

const groupOf = (crd: ApiObject): string => definitionSpecOf(crd as unknown as Fields).group;
const isDeleting = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Objects are stored at one version, by that version's schema; each version shows them with its own: unknown fields gone, defaults there. */
function conversionOf({ rules }: Machinery, info: ResourceInfo, storage: ResourceInfo): Conversion {
  const at = (version: ResourceInfo, object: ApiObject | Draft): Draft => {
    const draft: Draft = { ...draftOf(object), apiVersion: `${version.group}/${version.version}` };
    const known = rules.loaded(version);
    if (known === undefined) return draft;
    return { ...known.defaults(known.decode(draft).object), metadata: draft.metadata } as Draft;
  };
  const isReady = () => rules.loaded(info) !== undefined && rules.loaded(storage) !== undefined;
  return {
    isReady,
    load: () => (isReady() ? undefined : Promise.all([rules.load(info), rules.load(storage)])),
    fromStored: (object) => at(info, object),
    toStored: (draft) => (info === storage ? draft : at(storage, draft)),
  };
}

function servedBy(machinery: Machinery, crd: ApiObject): Resource[] {
  const infos = resourceInfosOf(crd as unknown as Fields);
  return infos.map((info) => {
    const storage = infos.find(({ version }) => version === info.custom?.storageVersion) ?? info;
    return resourceOf(info, `${info.group}/${info.plural}`, conversionOf(machinery, info, storage));
  });
}

/** The other definitions of the same group. */
const othersOf = ({ store }: Machinery, { metadata: { name }, ...crd }: ApiObject): ApiObject[] => {
  const group = groupOf(crd as ApiObject);
  const { objects } = store.page(definitions, { prefix: '' });
  return objects.filter((other) => other.metadata.name !== name && groupOf(other) === group);
};

/** Serves what definitions define: names accepted, established, and when they go, their objects with them. */
export function definitionController(machinery: Machinery, definitionResource: Resource): Controller {
  const { store, registry, clock } = machinery;
  const served = new Map<string, readonly Resource[]>();
  const publish = apiServicesOf(machinery);

  /** Serves other resources for a definition than before; none when it has gone. */
  const serve = (name: string, resources: readonly Resource[]): void => {
    const before = served.get(name) ?? [];
    for (const resource of before) registry.remove(resource);
    for (const resource of resources) registry.add(resource);
    served.set(name, resources);
    if (resources.length === 0) served.delete(name);
    publish([...before, ...resources]);
  };

  const judge = (crd: ApiObject): void => {
    const status = definitionStatus(crd, othersOf(machinery, crd), timestampOf(clock.now()));
    const draft: Draft = { ...draftOf(crd), status };
    const current = equal(status, crd.status)
      ? crd
      : updateObject(scopeOf({ machinery, resource: definitionResource, manager, subresource: 'status' }), crd, draft)
          .object;
    if (isEstablished(current)) serve(crd.metadata.name, servedBy(machinery, current));
  };

  const cleanUp = (crd: ApiObject): void => {
    const [resource] = served.get(crd.metadata.name) ?? servedBy(machinery, crd);
    const left = resource === undefined ? [] : store.page(resource.collection, { prefix: '' }).objects;
    for (const object of left) if (!isDeleting(object)) deleteObject({ machinery, resource: resource! }, object, {});
    if (resource !== undefined && store.count(resource.collection) > 0) return;
    const draft = draftOf(crd);
    draft.metadata.finalizers = (crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
    updateObject(scopeOf({ machinery, resource: definitionResource, manager }), crd, draft);
  };

  /** The definition of a collection's kind when it only waits for the last of its objects. */
  const waitingFor = (collection: string): ApiObject | undefined => {
    for (const [name, [resource]] of served) {
      const crd = resource?.collection === collection ? store.get(definitions, name) : undefined;
      if (crd !== undefined && isDeleting(crd)) return crd;
    }
    return undefined;
  };

  return ({ collection, key, type, object }) => {
    if (collection === apiServices && type === 'DELETED') publish([...served.values()].flat());
    if (collection !== definitions) {
      const crd = type === 'DELETED' ? waitingFor(collection) : undefined;
      if (crd?.metadata.finalizers?.includes(cleanupFinalizer)) cleanUp(crd);
      return;
    }
    const crd = store.get(definitions, key);
    if (crd === undefined) {
      serve(key, []);
      for (const other of othersOf(machinery, object)) if (!isDeleting(other)) judge(other);
    } else if (!isDeleting(crd)) judge(crd);
    else if (crd.metadata.finalizers?.includes(cleanupFinalizer)) cleanUp(crd);
  };
}
