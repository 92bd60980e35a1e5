import { jsonResponse } from '../http/represent.ts';
import { fieldsOf } from '../kinds/checks.ts';
import { timestampOf } from '../machinery.ts';
import { type ApiObject, type Draft, draftOf, type Fields, isFields } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import { badRequest, conflict } from '../status.ts';
import { type Call, currentOf, type Verb } from './call.ts';
import { admitOther } from './commit.ts';
import { objectContentOf } from './object-content.ts';

const bindingKind = { group: '', version: 'v1', kind: 'Binding' };
const binding = { group: '', plural: 'pods/binding' };

/** What the server answers to what makes no object. */
export const created: Fields = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

function refuseBound({ metadata, spec }: ApiObject): void {
  const { name } = metadata;
  const { nodeName } = spec as { nodeName?: string };
  const why =
    metadata.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : nodeName
        ? `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`
        : undefined;
  if (why !== undefined) throw conflict(binding, name, why);
}

function bound(
  pod: ApiObject,
  { nodeName, annotations }: { nodeName: string; annotations: unknown },
  now: string,
): Draft {
  const draft = draftOf(pod);
  const { conditions = [], ...status } = (pod.status ?? {}) as { conditions?: readonly { type: string }[] };
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  draft.spec = { ...(pod.spec as object), nodeName };
  draft.status = { ...status, conditions: [...conditions.filter(({ type }) => type !== 'PodScheduled'), scheduled] };
  if (isFields(annotations)) {
    draft.metadata.annotations = { ...pod.metadata.annotations, ...(annotations as Record<string, string>) };
  }
  return draft;
}

async function bindingOf(call: Call): Promise<Fields> {
  const { value } = await objectContentOf(call, 'Binding');
  const { name } = fieldsOf(value.metadata);
  if (call.path.name !== undefined && name !== call.path.name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const { namespace } = call.path;
  const object = { ...value, kind: 'Binding', apiVersion: 'v1', metadata: { ...fieldsOf(value.metadata), namespace } };
  const dryRun = call.query.getAll('dryRun').includes('All');
  return (await admitOther(call, { kind: bindingKind, operation: 'CREATE', object, dryRun })) ?? object;
}

/** POST to a pod's `binding`: what a scheduler does. */
export const bind: Verb = async (call) => {
  const { target, metadata } = await bindingOf(call);
  const { kind = 'Node', name } = isFields(target) ? target : {};
  if (kind !== '' && kind !== 'Node' && kind !== 'Minion') throw badRequest(`invalid target kind: ${String(kind)}`);
  if (typeof name !== 'string' || name === '') throw badRequest('target.name: Required value');
  const { machinery, path } = call;
  // A Binding may be posted by itself, too.
  const resource = machinery.registry.find('v1', 'pods')!;
  const pod = currentOf({ ...call, resource, path: { ...path, name: path.name ?? String(fieldsOf(metadata).name) } });
  refuseBound(pod);
  const annotations = isFields(metadata) ? metadata.annotations : undefined;
  const draft = bound(pod, { nodeName: name, annotations }, timestampOf(machinery.clock.now()));
  // A binding is written past all managers.
  updateObject({ machinery, resource, subresource: 'binding' }, pod, draft);
  return jsonResponse(201, created);
};
