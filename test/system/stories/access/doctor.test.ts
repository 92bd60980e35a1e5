import { join } from 'node:path';
import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { createClient, ensureCrds, loadConnection, Workspace } from '../../../../sdk/index.ts';
import type { Finding } from '../../../../sequencer/cli/doctor/finding.ts';
import { annotationPolicy } from '../../../../sequencer/cli/manifests/annotation-policy.ts';
import { root, run, sequencerArguments } from '../programs.ts';
import { serversUnderTest } from '../servers.ts';
import { applied, installed } from './rights.ts';

for (const { name, start } of serversUnderTest())
  test.serial(
    `${name}: the doctor finds what an installation lacks, nothing in a good one, and what broke it`,
    async (t) => {
      t.timeout(180_000);
      const server = await start();
      const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
      t.teardown(async () => {
        await client.close();
        await server.close();
      });
      const flags = ['--operator-namespace', 'ops', '--config', join(root, 'deploy/sequencer.config.js')];
      const args = sequencerArguments('doctor', '--kubeconfig', server.kubeconfigPath, ...flags, '--output', 'json');
      const examined = async () => {
        const { code, stdout, stderr } = await run(process.execPath, args);
        t.is(stderr, '');
        const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
        const problems = findings
          .filter(({ status }) => status !== 'ok')
          .map(({ check, detail }) => `${check}: ${detail}`);
        return { code, problems };
      };

      const before = await examined();
      t.is(before.code, 1);
      t.is(before.problems[0], 'definition: workspaces.se.quencer.io is not installed');

      await ensureCrds(client, [Workspace]);
      const operator = await installed(
        t,
        { ...server, client },
        { integrations: [components()], operatorNamespace: 'ops' },
      );
      const running = await operator.start();
      t.deepEqual(await examined(), { code: 0, problems: [] });

      const role = operator.roles.find(({ metadata }) => metadata.name === 'sequencer-workspaces')!;
      await applied(client, {
        ...role,
        rules: role.rules.filter(({ resources }) => !resources.includes('services')),
      } as never);
      const finalizers = ['se.quencer.io/gone'];
      await client.create(Workspace, { metadata: { namespace: 'default', name: 'shop', finalizers }, spec: {} });
      const former = { name: 'sequencer-annotations.old', operator: 'system:serviceaccount:old:sequencer' };
      for (const object of annotationPolicy(former)) await applied(client, object);
      const { code, problems } = await examined();
      t.is(code, 1);
      t.regex(problems[0]!, /^rights: missing rights: .*services in all namespaces, for components \(Components\)$/);
      t.regex(problems[1]!, /^policy: sequencer-annotations\.old is for another operator: it refuses the annotations/);
      t.is(problems[2], 'workspaces: default/shop is claimed by gone, which the config does not have');
      await running.stop();
    },
  );
