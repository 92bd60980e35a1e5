/** Reads of a controller: the same whether its changes are made or only planned. */

import type { Kind } from '../../api/kind.ts';
import { isOwnedBy, type KubeObject } from '../../api/object.ts';
import { conditionOf, instanceLabel, instanceOf, type Workspace } from '../../api/workspace.ts';
import type { IntegrationCall } from '../contract/call-deadline.ts';
import type { ProviderController } from '../contract/integration.ts';
import { defaultNamespaceReader } from '../host/default-namespace-reader.ts';
import { shownRefs } from '../journal/known-refs.ts';
import type { Session } from '../journal/session.ts';

/** Members of a controller that change nothing. */
export type ProviderReader = Pick<
  ProviderController,
  | 'workspace'
  | 'condition'
  | 'refs'
  | 'formerUids'
  | 'namespace'
  | 'signal'
  | 'policy'
  | 'get'
  | 'list'
  | 'owned'
  | 'othersWith'
>;

/** Returns the objects of a kind that the workspace owns: cached where the kind is followed, else read live. */
async function ownedBy<T extends KubeObject>({ host, workspace }: Session, kind: Kind<T>): Promise<readonly T[]> {
  const cached = host.owned(kind, workspace);
  if (cached !== undefined) return cached;
  const { namespace } = workspace.metadata;
  const { items } = await host.client.list(kind, {
    ...(kind.namespaced && namespace !== undefined && { namespace }),
    labels: `${instanceLabel}=${instanceOf(workspace)}`,
  });
  return items.filter((object) => isOwnedBy(object, workspace));
}

/** Returns the members of a controller that read; `present` holds its current workspace: the session, or the notes of a dry run. */
export function providerReader(
  session: Session,
  call: IntegrationCall,
  present: { readonly workspace: Workspace },
): ProviderReader {
  const { host, scope } = session;
  const namespace = session.workspace.metadata.namespace ?? '';
  return {
    get workspace() {
      return present.workspace;
    },
    get condition() {
      return conditionOf(present.workspace, scope.type);
    },
    get refs() {
      return shownRefs(session);
    },
    get formerUids() {
      return session.formerUids;
    },
    namespace,
    signal: AbortSignal.any([host.stopping, call.signal]),
    policy: scope.policy ?? 'manage',
    ...defaultNamespaceReader(host.client, namespace),
    owned: (kind) => ownedBy(session, kind),
    othersWith: (name) => host.othersWith(scope.claim, session.workspace, name),
  };
}
