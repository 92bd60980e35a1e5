/** Serves the resources of CustomResourceDefinitions. */

import { type ApiObject, type Draft, draftOf, equal, type Fields } from '../../apimachinery/object.ts';
import { cleanupFinalizer } from '../../apis/apiextensions/definition-strategy.ts';
import {
  plainConversion,
  type VersionedResource,
  webhookConversionOf,
} from '../../crd/conversion/version-conversion.ts';
import { definitionSpecOf, resourceInfosOf, versionInfosOf } from '../../crd/definition.ts';
import { deleteObject } from '../../objects/delete.ts';
import { scopeOf } from '../../objects/managed-fields.ts';
import { updateObject } from '../../objects/update.ts';
import { type Conversion, type Resource, resourceOf } from '../../resources/registry.ts';
import type { Convert, ServerContext } from '../../server/server-context.ts';
import type { ChangeHandler } from '../engine/change-worker.ts';
import { apiServices, apiServicesOf } from './api-services.ts';
import { crdStatus, isEstablished } from './crd-status.ts';

/** Collection of CustomResourceDefinitions. */
export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

const manager = 'kube-apiserver';

const groupOf = (crd: ApiObject): string => definitionSpecOf(crd as unknown as Fields).group;
const isDeleting = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Returns the conversion between a definition's versions: its webhook, or none but apiVersion. */
function conversionFor(server: ServerContext, crd: ApiObject): (versioned: VersionedResource) => Conversion {
  if (definitionSpecOf(crd as unknown as Fields).conversion?.strategy !== 'Webhook') {
    return (versioned) => plainConversion(server, versioned);
  }
  let converter: ReturnType<ServerContext['converterOf']> | undefined;
  const convert: Convert = async (object, apiVersion) => {
    converter ??= server.converterOf(crd);
    return (await converter)(object, apiVersion);
  };
  return (versioned) => webhookConversionOf(server, versioned, convert);
}

function servedBy(server: ServerContext, crd: ApiObject): Resource[] {
  const versions = versionInfosOf(crd as unknown as Fields);
  const { storedVersions } = (crd.status ?? {}) as Fields;
  const stored = Array.isArray(storedVersions) ? storedVersions.map(String) : [];
  const conversionOf = conversionFor(server, crd);
  return resourceInfosOf(crd as unknown as Fields, versions).map((info) => {
    const storage = versions.find(({ version }) => version === info.custom?.storageVersion) ?? info;
    return resourceOf(info, `${info.group}/${info.plural}`, conversionOf({ info, storage, versions, stored }));
  });
}

/** Returns the other definitions of the same group. */
const othersOf = ({ store }: ServerContext, { metadata: { name }, ...crd }: ApiObject): ApiObject[] => {
  const group = groupOf(crd as ApiObject);
  const { objects } = store.page(definitions, { prefix: '' });
  return objects.filter((other) => other.metadata.name !== name && groupOf(other) === group);
};

/** Returns the served definition of a collection if it is being deleted, waiting for its objects. */
function waitingFor(
  { store }: ServerContext,
  served: ReadonlyMap<string, readonly Resource[]>,
  collection: string,
): ApiObject | undefined {
  for (const [name, [resource]] of served) {
    const crd = resource?.collection === collection ? store.get(definitions, name) : undefined;
    if (crd !== undefined && isDeleting(crd)) return crd;
  }
  return undefined;
}

/** Creates the controller of definitions: accepts names, serves resources, and deletes the objects of a deleted definition. */
export function crdController(server: ServerContext, definitionResource: Resource): ChangeHandler {
  const { store, registry, clock } = server;
  const served = new Map<string, readonly Resource[]>();
  const publish = apiServicesOf(server);

  /** Replaces the served resources of a definition; none when it is deleted. */
  const serve = (name: string, resources: readonly Resource[]): void => {
    const before = served.get(name) ?? [];
    for (const resource of before) registry.remove(resource);
    for (const resource of resources) registry.add(resource);
    served.set(name, resources);
    if (resources.length === 0) served.delete(name);
    publish([...before, ...resources]);
  };

  const updateStatus = (crd: ApiObject): void => {
    const status = crdStatus(crd, othersOf(server, crd), clock.now());
    const draft: Draft = { ...draftOf(crd), status };
    const current = equal(status, crd.status)
      ? crd
      : updateObject(scopeOf({ server, resource: definitionResource, manager, subresource: 'status' }), crd, draft)
          .object;
    if (isEstablished(current)) serve(crd.metadata.name, servedBy(server, current));
  };

  /** Deletes the objects of a definition that is being deleted, and then removes its finalizer, unless that was done. */
  const cleanUp = (crd: ApiObject | undefined): void => {
    if (!crd?.metadata.finalizers?.includes(cleanupFinalizer)) return;
    const [resource] = served.get(crd.metadata.name) ?? servedBy(server, crd);
    const left = resource === undefined ? [] : store.page(resource.collection, { prefix: '' }).objects;
    for (const object of left) if (!isDeleting(object)) deleteObject({ server, resource: resource! }, object, {});
    if (resource !== undefined && store.count(resource.collection) > 0) return;
    const draft = draftOf(crd);
    draft.metadata.finalizers = crd.metadata.finalizers.filter((name) => name !== cleanupFinalizer);
    updateObject(scopeOf({ server, resource: definitionResource, manager }), crd, draft);
  };

  /** Stops serving a definition that is gone; its names are free for the others. */
  const retire = (name: string, last: ApiObject): void => {
    serve(name, []);
    for (const other of othersOf(server, last)) if (!isDeleting(other)) updateStatus(other);
  };

  return ({ collection, key, type, object }) => {
    if (collection === apiServices && type === 'DELETED') publish([...served.values()].flat());
    if (collection !== definitions) {
      if (type === 'DELETED') cleanUp(waitingFor(server, served, collection));
      return;
    }
    const crd = store.get(definitions, key);
    if (crd === undefined) retire(key, object);
    else if (isDeleting(crd)) cleanUp(crd);
    else updateStatus(crd);
  };
}
