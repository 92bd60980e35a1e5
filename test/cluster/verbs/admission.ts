import type { Draft } from '../objects/object.ts';
import { forbidden, notFound } from '../status.ts';
import type { Call } from './call.ts';

const namespaces = { group: '', plural: 'namespaces' };

/** A namespaced object can only be created where its namespace exists and is not on its way out. Throws the server's 404 and 403. */
export function admitToNamespace({ machinery, resource: { info } }: Call, { metadata }: Draft): void {
  if (!info.namespaced) return;
  const name = metadata.namespace ?? '';
  const namespace = machinery.store.get('/namespaces', name);
  if (namespace === undefined) throw notFound(namespaces, name);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const message = `namespace ${name} is being terminated`;
  throw forbidden(
    info,
    metadata.name ?? '',
    `unable to create new content in namespace ${name} because it is being terminated`,
    [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }],
  );
}
