/** Policies, quotas and webhooks that stand in the way of a sequencer for a while. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  type Client,
  claimOf,
  type Kind,
  type KubeObject,
  mirrorAnnotation,
  Workspace,
} from '../../../../sdk/index.ts';
import { until } from '../../real/until.ts';
import { applied } from './rights.ts';

const group = 'admissionregistration.k8s.io';
const kindNamed = (kind: string): Kind => ({
  ...{ group, version: 'v1', kind, namespaced: false },
  plural: `${kind.toLowerCase()}s`.replace(/ys$/, 'ies'),
});
const binding = kindNamed('ValidatingAdmissionPolicyBinding');
const policy = kindNamed('ValidatingAdmissionPolicy');

/** One kind of writes of workspaces. */
export interface PolicedWrites {
  readonly resource: 'workspaces' | 'workspaces/status';
  /** Expression that holds for all other writes. */
  readonly allows: string;
  /** Merge patch that is such a write. */
  readonly example: object;
  /** Merge patch of the object that it is a write of. @default an object without a status */
  readonly before?: object;
}

/** Policy that refuses one kind of writes. */
export interface RefusingPolicy extends PolicedWrites {
  readonly name: string;
  readonly message: string;
}

const metadataWrite = (field: string, name: string, value: string): Pick<PolicedWrites, 'resource' | 'allows'> => {
  const has = (object: string) => `has(${object}.metadata.${field}) && '${name}' in ${object}.metadata.${field}`;
  return { resource: 'workspaces', allows: `!(${has('object')}) || (${has('oldObject')}${value})` };
};

const journalled = (phase: string): PolicedWrites => {
  const entry = `object.status.guards['Boxes'].phase`;
  const guards = { Boxes: { phase, op: 'create', key: 'k', token: 1, holder: 'h' } };
  return {
    resource: 'workspaces/status',
    allows: `!has(object.status) || !has(object.status.guards) || !('Boxes' in object.status.guards) || ${entry} != '${phase}'`,
    example: { status: { guards } },
  };
};

const intentOf = (more: object) => ({
  status: { guards: { Boxes: { phase: 'intent', op: 'create', key: 'k', token: 1, holder: 'h', ...more } } },
});
const entryIn = (object: string) => `${object}.status.guards['Boxes']`;
const isIntent = (object: string) =>
  `has(${object}.status) && has(${object}.status.guards) && 'Boxes' in ${object}.status.guards && ${entryIn(object)}.phase == 'intent'`;
const hasRefs = (object: string) => `has(${entryIn(object)}.refs) && size(${entryIn(object)}.refs) > 0`;

/** First ids of an attempt in progress. */
const checkpoint: PolicedWrites = {
  resource: 'workspaces/status',
  allows: `!(${isIntent('object')} && ${hasRefs('object')} && ${isIntent('oldObject')} && !(${hasRefs('oldObject')}))`,
  example: intentOf({ refs: [{ id: 'box-1' }] }),
  before: intentOf({}),
};

/** Renewed lease of an attempt in progress. */
const beat: PolicedWrites = {
  resource: 'workspaces/status',
  allows: `!(${isIntent('object')} && has(${entryIn('object')}.beat) && ${entryIn('object')}.beat > 0)`,
  example: intentOf({ beat: 1 }),
};

const [claim, mirror] = [claimOf('boxes'), mirrorAnnotation('Boxes')];
const valueIn = (object: string) => `${object}.metadata.annotations['${mirror}']`;

/** Writes of a sequencer about the condition `Boxes` of the integration `boxes`. */
export const writesOfBoxes: Readonly<
  Record<'intent' | 'outcome' | 'checkpoint' | 'beat' | 'claim' | 'mirror', PolicedWrites>
> = {
  checkpoint,
  beat,
  intent: journalled('intent'),
  outcome: journalled('done'),
  claim: { ...metadataWrite('finalizers', claim, ''), example: { metadata: { finalizers: [claim] } } },
  mirror: {
    ...metadataWrite('annotations', mirror, ` && ${valueIn('object')} == ${valueIn('oldObject')}`),
    example: { metadata: { annotations: { [mirror]: 'x' } } },
  },
};

/** Puts a policy in force, and returns how it is lifted. */
export async function refusingUpdates(client: Client, refused: RefusingPolicy): Promise<() => Promise<void>> {
  const { name, resource, allows, message, example, before } = refused;
  const apiVersion = `${group}/v1`;
  const metadata = { name };
  const rules = { apiGroups: [Workspace.group], apiVersions: ['*'], operations: ['UPDATE'], resources: [resource] };
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [rules] },
    validations: [{ expression: allows, message }],
  };
  const bound = { policyName: name, validationActions: ['Deny'] };
  await applied(client, { apiVersion, kind: policy.kind, metadata, spec } as KubeObject);
  await applied(client, { apiVersion, kind: binding.kind, metadata, spec: bound } as KubeObject);
  const probe = { namespace: 'default', name: `probe-${name}` };
  await client.create(Workspace, { metadata: probe, spec: {} });
  if (before !== undefined)
    await client.patch(Workspace, probe, { type: 'merge', value: before }, { subresource: 'status' });
  const isRefused = () =>
    client
      .patch(
        Workspace,
        probe,
        { type: 'merge', value: example },
        { dryRun: true, ...(resource.endsWith('/status') && { subresource: 'status' }) },
      )
      .then(
        () => undefined,
        (error: Error) => error.message.includes(message) || undefined,
      );
  await until(isRefused, { message: () => `policy ${name} is not in force within a minute` });
  await client.delete(Workspace, probe);
  return async () => {
    await client.delete(binding, metadata);
    await client.delete(policy, metadata);
  };
}

const quota: Kind = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };

/** Sets the only quota of a namespace, and its use, which no controller counts here. */
export async function setQuota(
  client: Client,
  namespace: string,
  hard: Readonly<Record<string, string>>,
): Promise<void> {
  const key = { namespace, name: 'quota' };
  await applied(client, { apiVersion: 'v1', kind: quota.kind, metadata: key, spec: { hard } } as KubeObject);
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  const value = { status: { hard, used } };
  await client.patch(quota, key, { type: 'merge', value }, { subresource: 'status' });
}

/** Has a webhook that never answers judge the updates of a resource of workspaces, and returns how it is removed. */
export async function silentWebhook(
  client: Client,
  { resource }: Pick<PolicedWrites, 'resource'>,
): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kind = kindNamed('ValidatingWebhookConfiguration');
  const metadata = { name: 'silent' };
  const rules = [{ apiGroups: [Workspace.group], apiVersions: ['*'], operations: ['UPDATE'], resources: [resource] }];
  const webhook = {
    ...{ name: 'silent.example.com', rules, failurePolicy: 'Fail', timeoutSeconds: 1, sideEffects: 'None' },
    ...{ admissionReviewVersions: ['v1'], clientConfig: { url: `https://127.0.0.1:${port}/` } },
  };
  await applied(client, { apiVersion: `${group}/v1`, kind: kind.kind, metadata, webhooks: [webhook] } as KubeObject);
  return async () => {
    await client.delete(kind, metadata);
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}
