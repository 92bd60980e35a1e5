import test from 'ava';
import { type Client, StaleError, Workspace } from '../../../sdk/index.ts';
import { Session } from '../../../sdk/provider/session.ts';
import { aStage } from '../../a-stage.ts';
import { aWorkspace } from '../../a-workspace.ts';

const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false };

test('answers of writes side by side may come in any order: the newest stays', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const patch = async (
    ...[, , sent]: readonly [unknown, unknown, { readonly value?: { readonly version: number } }]
  ) => {
    const version = sent.value?.version ?? 0;
    await gates[version]?.promise;
    const workspace = aWorkspace();
    return { ...workspace, metadata: { ...workspace.metadata, resourceVersion: String(100 + version) } };
  };
  const session = new Session(
    { ...host, client: { ...host.client, patch: patch as unknown as Client['patch'] } },
    aWorkspace(),
    scope,
  );
  const writes = [0, 1].map((version) => session.patchMain({ type: 'merge', value: { version } }));
  gates[1]?.resolve();
  await writes[1];
  gates[0]?.resolve();
  await writes[0];
  t.is(session.workspace.metadata.resourceVersion, '101');
});

test('F31: a workspace made again under the same name is another one', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const session = new Session(host, await stage.create(), scope);
  await stage.delete();
  await stage.create();
  await t.throwsAsync(session.refresh(), { instanceOf: StaleError, message: /deleted and made again/ });
});

test('nothing to change is no request', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const session = new Session(host, await stage.create(), scope);
  const { length } = stage.cluster.audit;
  await session.patchStatus([]);
  t.is(stage.cluster.audit.length, length);
  t.truthy(Workspace);
});
