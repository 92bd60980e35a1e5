import test from 'ava';
import { conditionOf, defineIntegration, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster, refusing, textOf } from '../../a-target-cluster.ts';
import { recorder, statuses } from './fixtures/a-recorder.ts';

const isRelease = (body: string): boolean => /"op":"remove","path":"\/metadata\/finalizers/.test(body);

test('a workspace walks to Ready in one pass, and back until nothing is left', async (t) => {
  const target = await aTargetCluster();
  const tunnel = recorder('tunnel', 'Tunneling');
  const dns = recorder('dns', 'DNS', ['Tunneling']);
  const actor = target.actor([dns.integration, tunnel.integration]);
  await target.create();

  t.deepEqual(await actor.walk(), {});
  const ready = await target.read();
  t.deepEqual(statuses(ready), { DNS: 'Completed', Tunneling: 'Completed', Ready: 'True' });
  t.is(ready.status?.phase, 'Healthy');
  t.is(ready.status?.observedGeneration, 1);
  t.deepEqual(ready.metadata.finalizers, ['se.quencer.io/tunnel', 'se.quencer.io/dns']);
  t.is(tunnel.things.size + dns.things.size, 2);

  await target.delete();
  await actor.walk();
  t.is(await target.read().catch(() => 'gone'), 'gone');
  t.is(tunnel.things.size + dns.things.size, 0);
  t.deepEqual([...dns.calls, ...tunnel.calls], ['create dns', 'delete dns', 'create tunnel', 'delete tunnel']);
});

test('a walk that finds nothing to do writes nothing', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor([recorder('dns', 'DNS').integration]);
  await target.create();
  await actor.walk();
  const { revision } = target.cluster;
  await actor.walk();
  t.is(target.cluster.revision, revision);
});

test('a guarded creation that cannot be found again costs four requests: intent, its mirror, mirror, outcome', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor([recorder('dns', 'DNS').integration]);
  await target.create();
  const before = target.cluster.audit.length;
  await actor.walk();
  const patches = target.cluster.audit.slice(before).filter(({ method }) => method === 'PATCH');
  t.is(patches.length, 7, 'adopt, claim, intent, announcement, mirror, outcome, summary');
});

const three = () => ['dns', 'mail', 'tunnel'].map((name) => recorder(name, name.toUpperCase()));

test('what ends at once is released by one request', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor(three().map(({ integration }) => integration));
  await target.create();
  await actor.walk();
  await target.delete();
  const before = target.cluster.audit.length;
  await actor.walk();
  t.is(await target.read().catch(() => 'gone'), 'gone');
  const patches = target.cluster.audit.slice(before).filter(({ method }) => method === 'PATCH');
  t.is(patches.length, 11, 'Terminating, three intents, announcements and outcomes, release');
});

test('a release that the server refuses holds up no other', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor(three().map(({ integration }) => integration));
  await target.create();
  await actor.walk();
  await target.delete();
  const [code, reason, message] = [422, 'Invalid', 'mail stays'];
  refusing(target, (request) => textOf(request).includes('se.quencer.io/mail') && isRelease(textOf(request)), {
    ...{ code, reason, message },
  });
  await t.throwsAsync(actor.walk(), { message: /mail stays/ });
  t.deepEqual((await target.read()).metadata.finalizers, ['se.quencer.io/mail']);
});

const isClaimOf = (name: string) => (body: string) =>
  new RegExp(`"op":"add","path":"/metadata/finalizers[^}]*"[^}]*se.quencer.io/${name}`).test(body);

test('a claim that the server refuses is reported in its condition, and holds up no other', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor(three().map(({ integration }) => integration));
  await target.create();
  const refusal = refusing(target, (request) => isClaimOf('mail')(textOf(request)), {
    ...{ code: 403, reason: 'Forbidden', message: 'no mail here' },
  });
  await t.throwsAsync(actor.walk(), { message: /no mail here/ });
  await t.throwsAsync(actor.walk('shop', 1), { message: /no mail here/ });
  const workspace = await target.read();
  t.deepEqual(statuses(workspace), { DNS: 'Completed', MAIL: 'Error', TUNNEL: 'Completed', Ready: 'False' });
  t.is(
    conditionOf(workspace, 'MAIL').reason,
    'the finalizer se.quencer.io/mail cannot be added, and nothing is made outside before it is there: no mail here',
  );
  const { revision } = target.cluster;
  await t.throwsAsync(actor.walk('shop', 2), { message: /no mail here/ });
  t.is(target.cluster.revision, revision, 'told once');
  refusal.over = true;
  await actor.walk();
  t.deepEqual(statuses(await target.read()), {
    DNS: 'Completed',
    MAIL: 'Completed',
    TUNNEL: 'Completed',
    Ready: 'True',
  });
});

test('a status that cannot be written, since a webhook does not answer, is reported by an event from the second walk on', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor([recorder('dns', 'DNS').integration]);
  await target.create();
  const message = 'failed calling webhook "slow.example.com": context deadline exceeded';
  refusing(target, ({ url }) => /\/status(?:\?|$)/.test(url), { code: 500, reason: 'InternalError', message });
  await t.throwsAsync(actor.walk(), { message });
  t.deepEqual(actor.events, []);
  await t.throwsAsync(actor.walk('shop', 1), { message });
  t.like(actor.events, { length: 1, 0: { type: 'Warning', reason: 'WriteRefused', message } });
});

test('a changed spec walks again, and what is no longer asked for is removed', async (t) => {
  const target = await aTargetCluster();
  const dns = recorder('dns', 'DNS');
  const mail = recorder('mail', 'Mail');
  const actor = target.actor([dns.integration, mail.integration]);
  const created = await target.create();
  await actor.walk();
  const { kind, apiVersion, metadata } = created;
  await target.cluster.apply({
    kind,
    apiVersion,
    metadata: { name: metadata.name, namespace: 'default' },
    spec: { integrations: { mail: false } },
  } as Workspace);
  await actor.walk();
  const edited = await target.read();
  t.deepEqual(statuses(edited), { DNS: 'Completed', Ready: 'True' });
  t.is(conditionOf(edited, 'DNS').observedGeneration, 2);
  t.is(edited.status?.observedGeneration, 2);
  t.deepEqual(edited.metadata.finalizers, ['se.quencer.io/dns']);
  t.is(edited.metadata.annotations?.['external.se.quencer.io/Mail'], undefined);
  t.is(mail.things.size, 0);
});

test('asked for again after it was removed, it is made again under another key', async (t) => {
  const target = await aTargetCluster();
  const mail = recorder('mail', 'Mail');
  const actor = target.actor([mail.integration]);
  await target.create();
  await actor.walk();
  const first = (await target.read()).status?.guards?.Mail?.key;
  const set = async (wanted: boolean) => {
    await target.client.patch(
      (await import('../../../../sdk/index.ts')).Workspace,
      { namespace: 'default', name: 'shop' },
      { type: 'merge', value: { spec: { integrations: { mail: wanted } } } },
    );
    await actor.walk();
  };
  await set(false);
  t.is(mail.things.size, 0);
  await set(true);
  t.is(mail.things.size, 1);
  t.not((await target.read()).status?.guards?.Mail?.key, first);
});

test('a workspace deleted before anything was claimed is left alone', async (t) => {
  const target = await aTargetCluster();
  const dns = recorder('dns', 'DNS');
  await target.create();
  await target.client.patch(
    (await import('../../../../sdk/index.ts')).Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { metadata: { finalizers: ['example.com/other'] } } },
  );
  await target.delete();
  await target.actor([dns.integration]).walk();
  const left = await target.read();
  t.deepEqual(left.metadata.finalizers, ['example.com/other']);
  t.deepEqual(dns.calls, []);
  t.is(left.status?.phase, 'Terminating');
});

test('a spec that changes while a task runs is not taken for carried out: the next walk does it', async (t) => {
  const target = await aTargetCluster();
  const done: unknown[] = [];
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        if (controller.condition.observedGeneration === workspace.metadata.generation) return;
        await controller.guard('changing', async ({ checkpoint }) => {
          done.push(workspace.spec.integrations?.size);
          const spec = { integrations: { size: 2 } };
          if (done.length === 1) await target.client.patch(Workspace, key, { type: 'merge', value: { spec } });
          await checkpoint({ id: 'a' });
          return { status: 'Completed', reason: 'changed' };
        });
      },
      terminate: async () => {},
    }),
  });
  const key = { namespace: 'default', name: 'shop' };
  await target.create({ integrations: { size: 1 } });
  const actor = target.actor([integration]);
  await actor.walk();
  const between = await target.read();
  t.is(between.metadata.generation, 2);
  t.is(conditionOf(between, 'DNS').observedGeneration, 1);
  t.is(between.status?.phase, 'Deploying');
  await actor.walk();
  t.deepEqual(done, [1, 2]);
  t.is((await target.read()).status?.phase, 'Healthy');
});
