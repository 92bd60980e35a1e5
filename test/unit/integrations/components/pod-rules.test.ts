import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { type Component, Pod, type Workspace } from '../../../../sdk/index.ts';
import { aShop, aShopWith, db, template } from './fixtures/a-component-shop.ts';

const escaping = (spec: object): Component => ({ name: 'web', template: { ...template('web'), ...spec } });

for (const [what, spec, field] of [
  ['the host’s processes', { hostPID: true }, 'hostPID'],
  ['the host’s files', { volumes: [{ name: 'root', hostPath: { path: '/' } }] }, 'volumes[0].hostPath'],
  ['another service account', { serviceAccountName: 'admin' }, 'serviceAccountName'],
] as const)
  test(`a pod that wants ${what} is refused before anything is created, and the workspace can be deleted`, async (t) => {
    const { stage, actor, pods, services, condition, writes } = await aShop(db, escaping(spec));
    await actor.walk();
    t.true((await condition()).startsWith(`Error: component web: template.${field}: `), await condition());
    t.deepEqual([...pods(), ...services()], []);
    t.is(writes(), 0);
    await stage.delete();
    await actor.walk();
    await actor.walk();
    await t.throwsAsync(stage.read(), { message: /not found/ });
  });

test('podSecurity and serviceAccounts open what the administrator wants open, by workspace', async (t) => {
  const serviceAccounts = ({ metadata }: Workspace) => (metadata.namespace === 'default' ? ['admin'] : []);
  const { stage, actor, pods } = await aShopWith(
    { podSecurity: 'privileged', serviceAccounts },
    escaping({ hostPID: true, serviceAccountName: 'admin' }),
  );
  await actor.walk();
  t.deepEqual(pods(), ['shop-web']);
  const { spec } = await stage.client.get(Pod, { namespace: 'default', name: 'shop-web' });
  t.like(spec, { hostPID: true, serviceAccountName: 'admin', automountServiceAccountToken: false });
});

test('a template that the pod standards leave room for is created hardened', async (t) => {
  const { stage, actor } = await aShop(db);
  await actor.walk();
  const { spec } = await stage.client.get(Pod, { namespace: 'default', name: 'shop-db' });
  t.like(spec, { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
  t.like(spec?.containers[0], {
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });
});

test('a template of more levels or characters than any pod has is reported', async (t) => {
  const { actor, condition, change } = await aShop(escaping({ volumes: [{ a: 'x'.repeat(600_000) }] }));
  await actor.walk();
  t.regex(await condition(), /^Error: component web: template: more than 524288 characters/);
  await change({ components: [db] });
  t.regex(await condition(), /^In Progress/);
});

test('options that mean nothing are refused with their name', (t) => {
  for (const [options, message] of [
    [
      { podSecurty: 'baseline' },
      /components: podSecurty is not an option; known are workload, restartOnConfig, imagePullSecrets, podSecurity, serviceAccounts/,
    ],
    [{ podSecurity: 'lax' }, /components: podSecurity must be one of privileged, baseline, restricted, not "lax"/],
    [{ serviceAccounts: 'admin' }, /components: serviceAccounts must be a list of names/],
  ] as const)
    t.throws(() => components(options as never), { instanceOf: TypeError, message });
});

test('a function of service accounts that answers something else is named in the condition', async (t) => {
  const { actor, condition } = await aShopWith({ serviceAccounts: () => 'admin' as never }, db);
  await t.throwsAsync(actor.walk(), { message: /serviceAccounts must return a list of names/ });
  t.is(await condition(), 'Error: components: serviceAccounts must return a list of names');
});
