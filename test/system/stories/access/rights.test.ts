import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { components } from '../../../../integrations/components/index.ts';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import {
  CustomResourceDefinitionKind,
  createClient,
  defineIntegration,
  ensureCrds,
  externalResource,
  type KubeObject,
  loadConnection,
  Namespace,
  secretsRule,
  UserError,
  Workspace,
} from '../../../../sdk/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { until } from '../../real/until.ts';
import { root } from '../programs.ts';
import { isReady } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { dnsAccounts } from '../tenancy/a-tenant.ts';
import { tellOfAnnotations } from './annotations.ts';
import { applied, installed, isCovered, kubeconfigFor, refusalToStart, weakened, withoutOneVerb } from './rights.ts';

const example = parse(readFileSync(join(root, 'examples/workspace.yaml'), 'utf8')) as Workspace;

/** A third party with password-protected things. */
function vault() {
  const things = new Map<string, string>();
  const box = externalResource<{ name: string }, { id: string }>({
    label: 'box',
    identity: 'name',
    find: async ({ uid }) => (things.has(uid) ? { id: uid } : undefined),
    create: async (_, { owner: { uid } }) => {
      things.set(uid, 'there');
      return { id: { id: uid }, secret: { password: 'x' } };
    },
    secretOf: async () => ({ password: 'y' }),
    delete: async ({ id }) => void things.delete(id),
  });
  return defineIntegration({
    name: 'vault',
    condition: 'Vault',
    permissions: [secretsRule],
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.ensure(box, { name: 'box' }),
      terminate: () => controller.destroy(box),
    }),
  });
}

for (const server of await startClientsUnderTest()) {
  const { name, client, close } = server;
  test.after.always(`${name} stops`, close);

  const walked = async (namespace: string): Promise<void> => {
    const key = { namespace, name: 'shop' };
    await client.create(Workspace, { ...example, metadata: key });
    let last: Workspace | undefined;
    const message = () => `not ready: ${JSON.stringify(last?.status?.conditions, undefined, 1)}`;
    const ready = async () => {
      last = await client.get(Workspace, key);
      return isReady(last) || undefined;
    };
    await until(ready, { message });
    await client.delete(Workspace, key);
    await until(async () => (await client.list(Workspace, { namespace })).items.length === 0 || undefined, {
      message: () => 'not gone',
    });
  };

  test.serial(
    `${name}: an operator of one namespace needs Roles only, where an administrator installs the definition`,
    async (t) => {
      const integrations = [components(), memoryDns(), vault()];
      await ensureCrds(client, [Workspace]);
      await client.create(Namespace, { metadata: { name: 'team-a' } });
      const operator = await installed(t, server, { integrations, namespace: 'team-a', operatorNamespace: 'ops-a' });
      t.true(operator.roles.every(({ kind }) => kind === 'Role'));
      const running = await operator.start();
      await walked('team-a');
      await running.stop();
    },
  );

  test.serial(
    `${name}: with exactly the printed manifests an example walks to Ready and back; without any one rule the start says which`,
    async (t) => {
      t.timeout(300_000);
      const integrations = [components(), memoryDns(), vault()];
      const operator = await installed(t, server, { integrations, operatorNamespace: 'ops' });
      const running = await operator.start();
      await walked('default');
      await running.stop();

      for (const { role, without } of weakened(operator.roles)) {
        await applied(client, role);
        const what = `${role.metadata.name}: ${JSON.stringify(without)}`;
        if (role.metadata.name === 'sequencer-definitions') {
          await (await operator.start()).stop();
          t.pass('no client needs the right on a definition that is there and good');
          await client.delete(CustomResourceDefinitionKind, { name: 'workspaces.se.quencer.io' });
          await until(
            async () =>
              (await client.list(CustomResourceDefinitionKind)).items.every(
                ({ spec }) => spec.names.kind !== 'Workspace',
              ) || undefined,
            { message: () => 'there' },
          );
          const error = await t.throwsAsync<UserError>(operator.start(), { instanceOf: UserError }, what);
          t.is(error.code, 'E#1011');
        } else if (isCovered(without, role, operator.roles)) {
          await (await operator.start()).stop();
          t.pass('another role grants the same');
        } else {
          const error = (await refusalToStart(operator)) as UserError;
          t.is(error.code, 'E#1016', what);
          const [resource = '', subresource] = without.resources[0]!.split('/');
          const full = without.apiGroups[0] === '' ? resource : `${resource}.${without.apiGroups[0]}`;
          const target = [full, subresource].filter(Boolean).join('/');
          t.true(error.message.includes(`${without.verbs.join(', ')} ${target} `), `${what}: ${error.message}`);
        }
        for (const whole of operator.roles) await applied(client, whole);
        await (await operator.start()).stop();
      }
    },
  );

  test.serial(`${name}: a right that is removed while it runs is reported once a request is refused`, async (t) => {
    t.timeout(120_000);
    await ensureCrds(client, [Workspace]);
    const [healthPort] = (await freePorts(1)) as [number];
    const operator = await installed(t, server, {
      integrations: [memoryDns()],
      operatorNamespace: 'ops',
      healthPort,
    });
    const running = await operator.start();
    t.teardown(() => running.stop());
    const readiness = async () => {
      const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
      return { status: answer.status, text: await answer.text() };
    };
    t.is((await readiness()).status, 200);
    const { role } = withoutOneVerb(operator.roles).find(
      ({ without }) => without.verbs[0] === 'patch' && without.resources[0] === 'workspaces/status',
    )!;
    await applied(client, role);
    await until(
      async () => {
        await client.create(Workspace, {
          metadata: { namespace: 'default', generateName: 'late-' },
          spec: example.spec,
        });
        const { status, text } = await readiness();
        return (status === 503 && text.includes('E#1016') && text.includes('patch workspaces')) || undefined;
      },
      { message: () => 'still ready without a right', interval: 1000 },
    );
    for (const whole of operator.roles) await applied(client, whole);
    await until(async () => (await readiness()).status === 200 || undefined, { message: () => 'not ready again' });
    await client.raw('DELETE', '/apis/se.quencer.io/v1alpha1/namespaces/default/workspaces');
    await until(async () => (await client.list(Workspace)).items.length === 0 || undefined, { message: () => 'there' });
  });

  test.serial(`${name}: the printed policy keeps the sequencer’s annotations from all others`, async (t) => {
    const { kubeconfig } = await installed(t, server, { integrations: [], operatorNamespace: 'ops' });
    const connected = async (file: string) => {
      const one = createClient({ connection: await loadConnection({ kubeconfig: file }) });
      t.teardown(() => one.close());
      return one;
    };
    const person = async (account: string, verbs: readonly string[]) => {
      const [key, group] = [{ namespace: 'default', name: account }, 'rbac.authorization.k8s.io'];
      const rules = [{ apiGroups: [Workspace.group], resources: [Workspace.plural], verbs }];
      const subjects = [{ kind: 'ServiceAccount', ...key }];
      const roleRef = { apiGroup: group, kind: 'Role', name: account };
      await applied(client, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key });
      await applied(client, { apiVersion: `${group}/v1`, kind: 'Role', metadata: key, rules } as KubeObject);
      await applied(client, {
        apiVersion: `${group}/v1`,
        kind: 'RoleBinding',
        metadata: key,
        roleRef,
        subjects,
      } as KubeObject);
      return connected(await kubeconfigFor(t, server, key));
    };
    await tellOfAnnotations(t, {
      operator: await connected(kubeconfig),
      tenant: await person('tenant', ['get', 'create', 'patch']),
      oncall: await person('oncall', ['get', 'patch', 'resolve']),
    });
  });

  const { types: tenantIntegrations } = dnsAccounts('token-one');
  for (const [what, mode] of [
    ['of one namespace', { namespace: 'team-b' }],
    ['that is a shard', { ring: 'blue' }],
    ['with the page and the webhook', { page: 8090, webhooks: 'Ignore', webhookPort: 0 }],
    ['with configs of tenants', { tenantIntegrations }],
  ] as const)
    test.serial(
      `${name}: an operator ${what} starts with the printed roles; without any one verb it says which`,
      async (t) => {
        t.timeout(300_000);
        const operatorNamespace = `ops-${what.replaceAll(' ', '-')}`;
        await ensureCrds(client, [Workspace]);
        await applied(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-b' } });
        const operator = await installed(t, server, {
          integrations: [vault()],
          operatorNamespace,
          ...mode,
        });
        await (await operator.start()).stop();
        const whole = operator.roles.filter(({ metadata }) => metadata.name !== 'sequencer-definitions');
        for (const { role, without } of withoutOneVerb(whole)) {
          if (isCovered(without, role, operator.roles)) continue;
          await applied(client, role);
          const error = (await refusalToStart(operator)) as UserError;
          t.is(error.code, 'E#1016', JSON.stringify(without));
          const [resource = ''] = without.resources[0]!.split('/');
          t.regex(error.message, new RegExp(`${without.verbs[0]}\\b.* ${resource}\\b`), JSON.stringify(without));
          for (const one of whole) await applied(client, one);
        }
      },
    );
}
