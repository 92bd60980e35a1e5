import test from 'ava';
import {
  add,
  type Client,
  InvalidError,
  RefusedError,
  StaleError,
  test as tested,
  Workspace,
} from '../../../../../sdk/index.ts';
import { Session } from '../../../../../sdk/provider/journal/session.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false };

test('answers of writes side by side may come in any order: the newest stays', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const patch = async (
    ...[, , sent]: readonly [unknown, unknown, { readonly operations: readonly { readonly value: number }[] }]
  ) => {
    const version = sent.operations[0]!.value;
    await gates[version]?.promise;
    const workspace = aWorkspace();
    return { ...workspace, metadata: { ...workspace.metadata, resourceVersion: String(100 + version) } };
  };
  const session = new Session(
    { ...host, client: { ...host.client, patch: patch as unknown as Client['patch'] } },
    aWorkspace(),
    scope,
  );
  const writes = [0, 1].map((version) => session.patchMain([add('/version', version)]));
  gates[1]?.resolve();
  await writes[1];
  gates[0]?.resolve();
  await writes[0];
  t.is(session.workspace.metadata.resourceVersion, '101');
});

test('F31: a workspace made again under the same name is another one', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const session = new Session(host, await stage.create(), scope);
  await stage.delete();
  await stage.create();
  await t.throwsAsync(session.refresh(), { instanceOf: StaleError, message: /deleted and recreated/ });
});

test('a 422 is a refusal when all that was tested holds, and a lost race when it does not', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const made = await stage.create();
  const session = new Session(host, made, scope);
  const wrong = [tested('/metadata/uid', made.metadata.uid), add('/status', { phase: 'Nowhere' })];
  const refused = await t.throwsAsync(session.patchStatus(wrong), { instanceOf: RefusedError });
  t.true(refused?.cause instanceof InvalidError);
  t.regex(String(refused?.message), /default\/shop: the API server refuses a change: .*status\.phase/s);
  await stage.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { metadata: { labels: { a: 'b' } } } },
  );
  const labels = [tested('/metadata/labels', null), add('/metadata/labels', {})];
  await t.throwsAsync(session.patchMain(labels), { instanceOf: StaleError });
  t.is(session.workspace.metadata.labels?.a, 'b', 'and it is read anew');
});

test('nothing to change is not a request', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const session = new Session(host, await stage.create(), scope);
  const { length } = stage.cluster.audit;
  await session.patchStatus([]);
  t.is(stage.cluster.audit.length, length);
  t.truthy(Workspace);
});
