/** Owner references on the cluster objects of an integration. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import { type KubeObject, ownerReferenceTo } from '../../api/object.ts';
import { instanceLabel, instanceOf } from '../../api/workspace.ts';
import type { NewObject } from '../../client/client.ts';
import type { Session } from '../journal/session.ts';
import { throwIfMistake } from '../value-mistakes.ts';

const unowned =
  'is cluster-scoped: a workspace, which has a namespace, cannot own it, and nothing would delete it. Expected a namespaced kind; ' +
  'anything else is an external object, see ensure';

/**
 * Returns the object as the workspace's own: in its namespace, with owner reference and label. @throws ContractError for a cluster-scoped kind, which
 * would never be collected
 */
export function withOwnerReference<T extends KubeObject>(
  { workspace, scope }: Pick<Session, 'workspace' | 'scope'>,
  kind: Kind<T>,
  object: NewObject<T>,
): NewObject<T> {
  throwIfMistake(scope, kind.namespaced ? undefined : `create: ${resourceOf(kind)} ${unowned}`);
  const { namespace } = workspace.metadata;
  const { labels, ownerReferences = [] } = object.metadata;
  const metadata = {
    ...object.metadata,
    namespace,
    labels: { ...labels, [instanceLabel]: instanceOf(workspace) },
    ownerReferences: [...ownerReferences, ownerReferenceTo(workspace)],
  };
  return { ...object, metadata };
}
