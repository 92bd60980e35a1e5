import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import {
  type CustomResourceDefinition,
  CustomResourceDefinitionKind,
  ensureCrds,
  Workspace,
} from '../../../../sdk/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { until } from '../../real/until.ts';
import { root } from '../programs.ts';
import { isReady } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { applied, installed } from './rights.ts';

const earlier = parse(
  readFileSync(join(root, 'test/system/upgrade/releases/0.1.0-dev.1.yaml'), 'utf8'),
) as CustomResourceDefinition;
const example = parse(readFileSync(join(root, 'examples/workspace.yaml'), 'utf8')) as Workspace;
const definition = { name: 'workspaces.se.quencer.io' };
const key = { namespace: 'default', name: 'shop' };

for (const server of await startClientsUnderTest()) {
  const { name, client, close } = server;
  test.after.always(`${name} stops`, close);

  test.serial(
    `${name}: an operator that may not change an earlier definition says so at /readyz, walks nothing, and works once it is brought up to date`,
    async (t) => {
      t.timeout(180_000);
      await applied(client, earlier);
      await ensureCrds(client, [{ ...Workspace, crd: async () => earlier }], { release: '0.0.1' });
      const [healthPort] = (await freePorts(1)) as [number];
      const operator = await installed(t, server, {
        integrations: [memoryDns()],
        operatorNamespace: 'ops-earlier',
        healthPort,
      });
      const whole = operator.roles.find(({ metadata }) => metadata.name === 'sequencer-definitions')!;
      const rules = whole.rules.map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== 'patch') }));
      t.notDeepEqual(rules, whole.rules);
      await applied(client, { ...whole, rules } as typeof whole);
      await client.create(Workspace, { metadata: key, spec: { networking: example.spec.networking! } });

      const starting = operator.start();
      t.teardown(async () => (await starting).stop());
      const readiness = async () => {
        const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
        return { status: answer.status, text: await answer.text() };
      };
      const told = await until(
        async () => {
          const { status, text } = await readiness();
          return status === 503 && text.includes('E#1015') ? text : undefined;
        },
        { message: (error) => `E#1015 is not reported (${error})` },
      );
      t.regex(told, /E#1015: workspaces\.se\.quencer\.io on the server does not keep what this release writes/);
      const { metadata, status } = await client.get(Workspace, key);
      t.deepEqual([metadata.finalizers, status?.conditions], [undefined, undefined], 'nothing is walked before');
      const { metadata: kept } = await client.get(CustomResourceDefinitionKind, definition);
      t.is(kept.generation, 1, 'the definition is as it was');

      await ensureCrds(client, [Workspace]);
      await starting;
      await until(async () => (await readiness()).status === 200 || undefined, { message: () => 'not ready' });
      await until(async () => isReady(await client.get(Workspace, key)) || undefined, { message: () => 'not walked' });
      await client.delete(Workspace, key);
      await until(async () => (await client.list(Workspace)).items.length === 0 || undefined, {
        message: () => 'not gone',
      });
    },
  );
}
