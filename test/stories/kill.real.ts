import test from 'ava';
import { startRealServer } from '../real/server.ts';
import { startNames } from './killed/names.ts';
import { tellOfKills } from './killed/story.ts';
import { startClusterProgram } from './programs.ts';

const wayOf = {
  'an in-memory cluster': startClusterProgram,
  'kube-apiserver': startRealServer,
} as const;

for (const [name, start] of Object.entries(wayOf))
  test.serial(`300 workspaces on ${name} survive four kills of their sequencer`, async (t) => {
    t.timeout(600_000);
    const { kubeconfigPath, close } = await start();
    t.teardown(close);
    await tellOfKills(t, {
      kubeconfigPath,
      workspaces: 300,
      kills: { up: 2, down: 2 },
      times: { lease: 4_000, margin: 800, maxRequest: 2_000 },
      patience: 60_000,
      names: await startNames(t, { implementation: 'bind', fudge: 2, deadline: 1_500 }),
      progress: (line) => process.stderr.write(`${name}, ${line}\n`),
    });
  });
