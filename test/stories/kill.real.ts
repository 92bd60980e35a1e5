import test, { type ExecutionContext } from 'ava';
import { startNameServer } from '../real/name-server.ts';
import { startRealServer } from '../real/server.ts';
import { type Names, tellOfKills } from './killed/story.ts';
import { startClusterProgram } from './programs.ts';

const zone = 'example.test';

async function startNames(t: ExecutionContext): Promise<Names> {
  const server = await startNameServer({ implementation: 'bind', zone });
  t.teardown(() => server.close());
  const { host, port, key } = server;
  return {
    zone,
    options: { server: { host, port }, key, target: '192.0.2.1', fudge: 2, deadline: 1_500 },
    async published() {
      const records = await server.transfer();
      return records
        .filter(({ name, type }) => type === 'A' && name !== `ns1.${zone}`)
        .map(({ name }) => name)
        .sort();
    },
  };
}

const wayOf = {
  'an in-memory cluster': startClusterProgram,
  'kube-apiserver': startRealServer,
} as const;

for (const [name, start] of Object.entries(wayOf))
  test.serial(`1000 workspaces on ${name} survive ten kills of their sequencer`, async (t) => {
    t.timeout(1_200_000);
    const { kubeconfigPath, close } = await start();
    t.teardown(close);
    await tellOfKills(t, {
      kubeconfigPath,
      workspaces: 1_000,
      kills: { up: 5, down: 5 },
      times: { lease: 4_000, margin: 800, maxRequest: 2_000 },
      patience: 60_000,
      names: await startNames(t),
      progress: (line) => process.stderr.write(`${name}, ${line}\n`),
    });
  });
