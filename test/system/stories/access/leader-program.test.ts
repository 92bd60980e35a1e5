import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import { ensureCrds, Lease, Workspace } from '../../../../sdk/index.ts';
import { run, sequencerArguments } from '../programs.ts';
import { eventually } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { applied, installed } from './rights.ts';

const config = 'examples/sequencer.config.ts';

for (const server of await startClientsUnderTest()) {
  const { name, client, kubeconfigPath, faults, close } = server;
  test.after.always(`${name} stops`, close);

  /** Runs a candidate to its end. @returns its exit code and the lines on stderr that begin with a code */
  const candidate = async (kubeconfig: string) => {
    const args = sequencerArguments('run', '--leader-elect', '--config', config, '--kubeconfig', kubeconfig);
    const { code, stdout, stderr } = await run(process.execPath, args, { timeout: 120_000 });
    const codes = stderr.match(/E#\d{4}/g) ?? [];
    return { code, codes: [...new Set(codes)], text: `${stdout}${stderr}` };
  };

  test.serial(`${name}: a candidate without a right on Leases ends with E#1016, which names the right`, async (t) => {
    t.timeout(240_000);
    await ensureCrds(client, [Workspace]);
    const operator = await installed(t, server, {
      integrations: [components(), memoryDns()],
      operatorNamespace: 'ops-candidate',
    });
    const electing = operator.roles.filter(({ rules }) => rules.some(({ resources }) => resources.includes('leases')));
    t.is(electing.length, 1);
    for (const role of electing)
      await applied(client, {
        ...role,
        rules: role.rules.filter(({ resources }) => !resources.includes('leases')),
      } as typeof role);
    const said = await eventually('the server takes the role into account', async () => {
      const ended = await candidate(operator.kubeconfig);
      return ended.code === 1 ? ended : undefined;
    });
    t.deepEqual(said.codes, ['E#1016'], said.text);
    t.regex(said.text, /error E#1016: missing rights: .*leases\.coordination\.k8s\.io/);
  });

  test.serial(`${name}: a candidate whose API server is not there ends with E#2020`, async (t) => {
    t.timeout(240_000);
    await faults.kill();
    try {
      const said = await candidate(kubeconfigPath);
      t.is(said.code, 1, said.text);
      t.deepEqual(said.codes, ['E#2020'], said.text);
      t.regex(said.text, /error E#2020: https:\/\/127\.0\.0\.1:\d+ does not answer: /);
    } finally {
      await faults.restart();
    }
  });

  test.serial(`${name}: a leader whose API server is no longer there ends with E#2060`, async (t) => {
    t.timeout(240_000);
    const leading = candidate(kubeconfigPath);
    await eventually('it leads', async () => {
      const [lease] = (await client.list(Lease, { namespace: 'default' })).items;
      return lease?.spec?.holderIdentity || undefined;
    });
    await faults.kill();
    try {
      const said = await leading;
      t.is(said.code, 1, said.text);
      t.deepEqual(said.codes, ['E#2060'], said.text);
    } finally {
      await faults.restart();
    }
  });
}
