/** Serves the binding of pods to nodes, and the answer that it shares with evictions. */

import { type FieldError, messageOf, notSupported } from '../../apimachinery/field-error.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, draftOf, type Fields, isFields } from '../../apimachinery/object.ts';
import { badRequest, conflict, unexpected } from '../../apimachinery/status.ts';
import { jsonResponse } from '../../encoding/representation.ts';
import { updateObject } from '../../objects/update.ts';
import type { ApiResponse } from '../../requests/message.ts';
import { admitSubresource } from '../admit-and-store.ts';
import { type WriteOptions, writeOptionsOf } from '../parameters.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';
import { checkPreconditionsOfUpdate } from '../storage-preconditions.ts';
import { readSubresourceBody } from '../subresource-body.ts';

const bindingKind = { group: '', version: 'v1', kind: 'Binding' };
const binding = { group: '', plural: 'pods/binding' };

/** Body of the answer to a POST that creates no object. */
export const createdStatus: Fields = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

function checkBindable({ metadata, spec }: ApiObject): void {
  const { name } = metadata;
  const { nodeName, schedulingGates = [] } = spec as { nodeName?: string; schedulingGates?: readonly unknown[] };
  const why =
    metadata.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : nodeName
        ? `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`
        : schedulingGates.length > 0
          ? `pod ${name} has non-empty .spec.schedulingGates`
          : undefined;
  if (why !== undefined) throw conflict(binding, name, why);
}

/** Returns the pod bound to its node, with the binding's annotations. */
function boundPod(pod: ApiObject, { metadata, target }: Draft, now: string): Draft {
  const draft = draftOf(pod);
  const { conditions = [], ...status } = (pod.status ?? {}) as { conditions?: readonly { type: string }[] };
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  draft.spec = { ...(pod.spec as object), nodeName: (target as { name: string }).name };
  draft.status = { ...status, conditions: [...conditions.filter(({ type }) => type !== 'PodScheduled'), scheduled] };
  const { annotations } = metadata;
  if (annotations !== undefined) draft.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  return draft;
}

function checkTarget({ target }: Draft): void {
  const { kind = '', name = '' } = isFields(target) ? target : {};
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push({ type: 'Required', field: 'target.name' });
  const texts = errors.map(messageOf);
  if (texts.length > 0) throw unexpected(texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`);
}

async function assign(call: Call, sent: Draft, { dryRun }: WriteOptions): Promise<ApiResponse> {
  checkTarget(sent);
  const admitted = await admitSubresource(call, { kind: bindingKind, operation: 'CREATE', object: sent, dryRun });
  const draft = (admitted as Draft | undefined) ?? sent;
  const { server } = call;
  const resource = server.registry.find('v1', 'pods')!;
  const podCall = { ...call, resource, path: { ...call.path, name: sent.metadata.name } };
  const pod = currentOf(podCall);
  checkPreconditionsOfUpdate(podCall, draft, pod);
  checkBindable(pod);
  // A binding is written without a field manager.
  const scope = { server, resource, dryRun, subresource: 'binding' };
  updateObject(scope, pod, boundPod(pod, draft, timestampOf(server.clock.now())));
  return jsonResponse(201, createdStatus);
}

/** POST to a pod's `binding`, or to `bindings` with the pod's name, as schedulers do. */
export const bind: Verb = async (call) => {
  const options = writeOptionsOf(call.query, 'CreateOptions');
  const draft = await readSubresourceBody(call, 'Binding', options);
  const { name = '' } = draft.metadata;
  const { path } = call;
  if (path.name === undefined && name === '') throw badRequest('Name parameter required.');
  if (path.name !== undefined && name !== path.name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  return assign(call, draft, options);
};
