/** Applies RuntimeClasses to pods. */

import { type Draft, equal, type Fields, isFields, ownMember } from '../../apimachinery/object.ts';
import { forbidden } from '../../apimachinery/status.ts';
import { fieldsOf, listOf } from '../../resources/defaulting.ts';
import type { ServerContext } from '../../server/server-context.ts';
import { withTolerations } from '../core/pods/pod-defaults.ts';

const collection = 'node.k8s.io/runtimeclasses';
const pods = { group: '', plural: 'pods' };

/** Returns the class that a spec names; undefined when it names none. Throws the server's 403 for an unknown class. */
function classOf({ store }: ServerContext, name: string, spec: Fields): Fields | undefined {
  const asked = spec.runtimeClassName;
  if (typeof asked !== 'string') return undefined;
  const found = store.get(collection, asked);
  if (found === undefined) throw forbidden(pods, name, { why: `pod rejected: RuntimeClass "${asked}" not found` });
  return found as unknown as Fields;
}

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const ownOverhead = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

const overheadOf = (found: Fields | undefined): Fields | undefined => {
  const { overhead } = found ?? {};
  return overhead === undefined ? undefined : fieldsOf(fieldsOf(overhead).podFixed);
};

function nodeSelectorOf(name: string, own: Fields, given: Fields): Fields {
  for (const [key, value] of Object.entries(given)) {
    const before = ownMember(own, key);
    if (before === undefined || before === value) continue;
    const [theirs, ours] = [`runtimeClass.scheduling.nodeSelector[${key}]`, `pod.spec.nodeSelector[${key}]`];
    throw forbidden(pods, name, { why: `conflict: ${theirs} = ${value}; ${ours} = ${before}` });
  }
  return { ...own, ...given };
}

/** Applies the overhead and scheduling of a new pod's RuntimeClass. Throws the server's 403 for an unknown class or conflicting fields. */
export function withRuntimeClass(server: ServerContext, name: string, spec: Fields): Fields {
  const found = classOf(server, name, spec);
  if (found === undefined) return spec;
  const overhead = overheadOf(found);
  const own = fieldsOf(spec.overhead);
  if (overhead !== undefined && Object.keys(own).length > 0 && !equal(own, overhead)) {
    throw forbidden(pods, name, { why: otherOverhead });
  }
  const { nodeSelector, tolerations } = fieldsOf(found.scheduling);
  const borne = withTolerations(listOf(spec.tolerations));
  const more = listOf(tolerations).filter((one) => !borne.some((other) => equal(one, other)));
  return {
    ...spec,
    ...(overhead !== undefined && { overhead }),
    ...(isFields(nodeSelector) && { nodeSelector: nodeSelectorOf(name, fieldsOf(spec.nodeSelector), nodeSelector) }),
    ...(more.length > 0 && { tolerations: [...borne, ...more] }),
  };
}

/** Checks that a new pod's overhead equals that of its RuntimeClass. Throws the server's 403. */
export function checkOverhead(server: ServerContext, { metadata, spec: value }: Draft): void {
  const spec = fieldsOf(value);
  if (spec.overhead === undefined) return;
  const { name = '' } = metadata;
  const overhead = overheadOf(classOf(server, name, spec));
  if (overhead === undefined) throw forbidden(pods, name, { why: ownOverhead });
  if (!equal(overhead, spec.overhead)) throw forbidden(pods, name, { why: otherOverhead });
}
