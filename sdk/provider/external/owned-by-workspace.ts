import { type KubeObject, ownerReferenceTo } from '../../api/object.ts';
import { instanceLabel, type Workspace } from '../../api/workspace.ts';
import type { NewObject } from '../../client/client.ts';

/** Returns the object as the workspace's own: in its namespace, with owner reference and label. */
export function owned<T extends KubeObject>(workspace: Workspace, object: NewObject<T>): NewObject<T> {
  const { namespace, name } = workspace.metadata;
  const { labels, ownerReferences = [] } = object.metadata;
  const metadata = {
    ...object.metadata,
    namespace,
    labels: { ...labels, [instanceLabel]: name },
    ownerReferences: [...ownerReferences, ownerReferenceTo(workspace)],
  };
  return { ...object, metadata };
}
