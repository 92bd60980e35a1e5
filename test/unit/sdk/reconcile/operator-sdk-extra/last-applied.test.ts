import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import type { Client } from '../../../../../sdk/client/client.ts';
import { lastAppliedFor } from '../../../../../sdk/reconcile/operator-sdk-extra/last-applied.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';

const annotation = 'example.com/applied';

function recordOf(text?: string) {
  const patches: unknown[] = [];
  const client = { patch: async (...[, , patch]: unknown[]) => void patches.push(patch) } as unknown as Client;
  const annotations: Record<string, string> = text === undefined ? {} : { [annotation]: text };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: 'u', annotations },
  };
  return { patches, lastApplied: lastAppliedFor({ ...requestFor(ConfigMap, object, { client }), object }, annotation) };
}

test('an absent or invalid annotation counts as no members', (t) => {
  t.is(recordOf().lastApplied.applied(), 1);
  t.is(recordOf('{').lastApplied.applied(), 1);
  t.deepEqual(recordOf('{"a":1}').lastApplied.applied(), { a: 1 });
});

test('members are written to the annotation of this uid, and only if they changed', async (t) => {
  const { lastApplied, patches } = recordOf('{"a":1}');
  await lastApplied.record({ a: 1 });
  t.deepEqual(patches, []);
  await lastApplied.record({ b: 1 });
  await lastApplied.record({ b: 1 });
  t.deepEqual(patches, [
    { type: 'merge', value: { metadata: { uid: 'u', annotations: { [annotation]: '{"b":1}' } } } },
  ]);
});

test('the members set before the pass stay those of its beginning', async (t) => {
  const { lastApplied } = recordOf('{"a":1}');
  await lastApplied.record({ b: 1 });
  t.deepEqual(lastApplied.applied(), { a: 1 });
});
