import test from 'ava';
import {
  add,
  conditionOf,
  findCondition,
  type JsonPatchOperation,
  type KubeObject,
  Workspace,
} from '../../../../../sdk/index.ts';
import { alteredPath } from '../../../../../sdk/provider/host/verify-writes.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster, type WebhookFunction } from '../../../../cluster/index.ts';
import { targetClusterOn } from '../../../a-target-cluster.ts';
import { recorder } from '../../../sequencer/engine/fixtures/a-recorder.ts';

/** Returns the JSON patch by which a policy changes a workspace; undefined where it leaves it. */
type Policy = (written: Workspace, before: Workspace | undefined) => readonly JsonPatchOperation[] | undefined;

const url = 'https://policy.example.com/';

/** A cluster with a mutating webhook for workspaces. */
async function aCluster(policy: Policy) {
  const clock = createManualClock();
  const answer: WebhookFunction = ({ request }) => {
    const { object, oldObject } = request as { object?: Workspace; oldObject?: Workspace };
    const patch = object && policy(object, oldObject ?? undefined);
    if (patch === undefined || patch.length === 0) return { allowed: true };
    return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  };
  const cluster = await createCluster({ clock, webhooks: { [url]: answer } });
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  await cluster.settle();
  const resources = ['workspaces', 'workspaces/status'];
  await cluster.apply({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'policy' },
    webhooks: [
      {
        ...{ name: 'policy.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig: { url } },
        rules: [{ apiGroups: [Workspace.group], apiVersions: ['*'], operations: ['UPDATE'], resources }],
      },
    ],
  } as KubeObject);
  return targetClusterOn(cluster, clock);
}

const policies: Readonly<Record<string, Policy>> = {
  'removes finalizers': ({ metadata }) =>
    metadata.finalizers === undefined ? undefined : [{ op: 'remove', path: '/metadata/finalizers' }],
  'removes the journal': ({ status }) =>
    status?.guards === undefined ? undefined : [{ op: 'remove', path: '/status/guards' }],
  'removes conditions': ({ status }) =>
    status?.conditions === undefined ? undefined : [{ op: 'remove', path: '/status/conditions' }],
  'puts each intent back to what was before': ({ status }, before) =>
    status?.guards?.DNS?.phase === 'intent' && before?.status?.guards?.DNS?.phase === 'none'
      ? [add('/status/guards', before.status.guards)]
      : undefined,
};

for (const [what, policy] of Object.entries(policies))
  test(`a policy that ${what} is told of, and nothing is made`, async (t) => {
    const target = await aCluster(policy);
    const dns = recorder('dns', 'DNS');
    const actor = target.actor([dns.integration]);
    await target.create();
    await t.throwsAsync(actor.walk(), { name: 'RefusedError', message: /is not what was written: a mutating policy/ });
    t.deepEqual(dns.calls, []);
    t.true(
      actor.events.some(({ type, message }) => type === 'Warning' && message.includes('is not what was written')),
      JSON.stringify(actor.events),
    );
    await target.delete();
    await actor.walk().catch(() => undefined);
    t.deepEqual(dns.calls, []);
  });

test('a policy that keeps the finalizer of what is gone is told of', async (t) => {
  const target = await aCluster((written, before) =>
    (before?.metadata.finalizers ?? []).length > 0 && (written.metadata.finalizers ?? []).length === 0
      ? [add('/metadata/finalizers', before?.metadata.finalizers)]
      : undefined,
  );
  const dns = recorder('dns', 'DNS');
  const actor = target.actor([dns.integration]);
  await target.create();
  await actor.walk();
  await target.delete();
  await t.throwsAsync(actor.walk(), { message: /\/metadata\/finalizers is not what was written/ });
  t.is(dns.things.size, 0);
  t.true(actor.events.some(({ reason }) => reason === 'WriteRefused'));
});

test('what a policy may change continues: labels, its own finalizer, texts of conditions', async (t) => {
  const target = await aCluster(({ metadata, status }) => [
    add('/metadata/labels', { team: 'a' }),
    ...((metadata.finalizers?.length ?? 0) > 0 && !metadata.finalizers?.includes('policy.example.com/x')
      ? [add('/metadata/finalizers/0', 'policy.example.com/x')]
      : []),
    ...(status?.conditions ?? []).map((_, index) => add(`/status/conditions/${index}/reason`, 'hidden')),
  ]);
  const dns = recorder('dns', 'DNS');
  await target.create();
  await target.actor([dns.integration]).walk();
  const workspace = await target.read();
  t.is(findCondition(workspace.status?.conditions, 'Ready')?.status, 'True');
  t.is(conditionOf(workspace, 'DNS').reason, 'hidden');
  t.deepEqual(dns.calls, ['create dns']);
});

const answered = (given: object): Workspace =>
  ({ apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', spec: {}, ...given }) as Workspace;

test('what a server changes by itself counts as kept: lone surrogates, nulls, defaults, an order of members', (t) => {
  const guards = { DNS: { phase: 'done', cause: '\ufffdx', refs: [{ b: 1, a: 2 }], defaulted: true } };
  const answer = answered({ metadata: { name: 'shop' }, status: { guards } });
  const entry = { refs: [{ a: 2, b: 1 }], phase: 'done', cause: '\ud800x', input: null };
  t.is(alteredPath(answer, [add('/status/guards/DNS', entry)]), undefined);
  t.is(alteredPath(answer, [add('/status/guards/DNS', { ...entry, token: 1 })]), '/status/guards/DNS');
  t.is(alteredPath(answer, [add('/status/guards/DNS', { ...entry, refs: [] })]), '/status/guards/DNS');
});

test('of several changes of one field the last counts, and those within lists are left out', (t) => {
  const answer = answered({ metadata: { name: 'shop', annotations: { b: '2' } }, status: { guards: { A: { n: 2 } } } });
  const changes: readonly JsonPatchOperation[] = [
    add('/status/guards', {}),
    add('/status/guards/A', { n: 1 }),
    add('/status/guards/A/n', 2),
    add('/status/guards/A/refs/0', 'x'),
    { op: 'move', from: '/status/refs', path: '/status/guards/A/refs' },
    { op: 'remove', path: '/metadata/annotations/a' },
  ];
  t.is(alteredPath(answer, changes), undefined);
  t.is(alteredPath(answer, [{ op: 'remove', path: '/metadata/annotations/b' }]), '/metadata/annotations/b');
});

test('an entry of many levels is compared without recursion', (t) => {
  const levels = 100_000;
  let [one, other]: object[] = [{}, {}];
  for (let level = 0; level < levels; level += 1) [one, other] = [{ a: one }, { a: other }];
  t.is(
    alteredPath(answered({ metadata: { name: 'shop' }, status: { guards: one } }), [add('/status/guards', other)]),
    undefined,
  );
});
