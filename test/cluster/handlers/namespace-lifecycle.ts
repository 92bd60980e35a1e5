/** The admission plugin NamespaceLifecycle. */

import type { Draft } from '../apimachinery/object.ts';
import { forbidden, notFound } from '../apimachinery/status.ts';
import type { Call } from './resource-call.ts';

const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
const namespaces = { group: '', plural: 'namespaces' };

/** Rejects new objects of a kind whose definition is being deleted. Throws the server's 403. */
function checkDefinitionNotTerminating({ server, resource: { info } }: Call, name: string): void {
  const definition = info.custom && server.store.get(definitions, info.custom.crd);
  if (definition?.metadata.deletionTimestamp === undefined) return;
  throw forbidden(info, name, { why: 'create not allowed while custom resource definition is terminating' });
}

/** NamespaceLifecycle admission of a new object: a namespaced object needs a namespace that exists and is not terminating. Throws the server's 404 and 403. */
export function checkNamespaceLifecycle(call: Call, { metadata }: Draft): void {
  const {
    server,
    resource: { info },
  } = call;
  checkDefinitionNotTerminating(call, metadata.name ?? '');
  if (!info.namespaced) return;
  const name = metadata.namespace ?? '';
  const namespace = server.store.get('/namespaces', name);
  if (namespace === undefined) throw notFound(namespaces, name);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const message = `namespace ${name} is being terminated`;
  throw forbidden(info, metadata.name || metadata.generateName || 'Unknown', {
    why: `unable to create new content in namespace ${name} because it is being terminated`,
    causes: [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }],
  });
}
