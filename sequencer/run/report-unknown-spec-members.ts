/** Reports fields of a workspace's spec that no integration reads, in events. */

import { unknownSpecMemberTexts } from '../../sdk/host/index.ts';
import {
  type EventSink,
  type Integration,
  isDeleting,
  keyOf,
  type Reconciler,
  type Workspace,
} from '../../sdk/index.ts';
import { unknownTypes } from '../tenants/config-choice.ts';
import type { TenantIntegrations } from '../tenants/tenant-integration.ts';

/** Integrations, and integration types that tenants may configure. */
interface KnownIntegrations {
  readonly integrations: readonly Integration[];
  readonly types: TenantIntegrations;
}

/** Maximum number of reported members. */
const maxReported = 3;

/**
 * Wraps a reconciler: reports members of `spec.integrations` and `spec.integrationConfigs` that no integration reads, in one event for each generation
 * of a workspace.
 */
export function reportUnknownSpecMembers(
  events: EventSink,
  { integrations, types }: KnownIntegrations,
  walks: Reconciler<Workspace>,
): Reconciler<Workspace> {
  const reported = new Map<string, string>();
  const membersOf = (workspace: Workspace): readonly string[] => [
    ...unknownSpecMemberTexts(workspace, integrations),
    ...unknownTypes(workspace, types),
  ];
  return async (request) => {
    const { key, object } = request;
    if (object === undefined) reported.delete(keyOf(key));
    else if (!isDeleting(object)) {
      const spec = `${object.metadata.uid}/${object.metadata.generation}`;
      const unhandled = reported.get(keyOf(key)) === spec ? [] : membersOf(object);
      reported.set(keyOf(key), spec);
      const rest = unhandled.length > maxReported ? [`and ${unhandled.length - maxReported} more`] : [];
      if (unhandled.length > 0)
        events.event(object, 'Warning', 'NotHandled', [...unhandled.slice(0, maxReported), ...rest].join('; '));
    }
    return walks(request);
  };
}
