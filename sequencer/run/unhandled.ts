import { unhandledMembers } from '../../sdk/host/index.ts';
import {
  type EventSink,
  type Integration,
  isDeleting,
  keyOf,
  type Reconciler,
  type Workspace,
} from '../../sdk/index.ts';

/** Members that are told at most. */
const most = 3;

/** Tells in an event, once for each spec of a workspace, which members of `spec.integrations` no integration looks for. */
export function tellingUnhandled(
  events: EventSink,
  integrations: readonly Integration[],
  walks: Reconciler<Workspace>,
): Reconciler<Workspace> {
  const seen = new Map<string, string>();
  return async (request) => {
    const { key, object } = request;
    if (object === undefined) seen.delete(keyOf(key));
    else if (!isDeleting(object)) {
      const spec = `${object.metadata.uid}/${object.metadata.generation}`;
      const unhandled = seen.get(keyOf(key)) === spec ? [] : unhandledMembers(object, integrations);
      seen.set(keyOf(key), spec);
      const rest = unhandled.length > most ? [`and ${unhandled.length - most} more`] : [];
      if (unhandled.length > 0)
        events.event(object, 'Warning', 'NotHandled', [...unhandled.slice(0, most), ...rest].join('; '));
    }
    return walks(request);
  };
}
