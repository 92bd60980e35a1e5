import test from 'ava';
import { startRealServer } from '../../real/server.ts';
import { startClusterProgram } from '../programs.ts';
import { startNames } from './names.ts';
import { tellOfKills } from './story.ts';

/**
 * Servers with their number of workspaces. Each kill meets at most ten in progress: more cost time, most of it on a real server, and prove
 * little more.
 */
const places = [
  { name: 'an in-memory cluster', start: startClusterProgram, workspaces: 300 },
  { name: 'kube-apiserver', start: startRealServer, workspaces: 150 },
] as const;

for (const { name, start, workspaces } of places)
  test.serial(`${workspaces} workspaces on ${name} survive four kills of their sequencer`, async (t) => {
    t.timeout(600_000);
    const { kubeconfigPath, close } = await start();
    t.teardown(close);
    await tellOfKills(t, {
      kubeconfigPath,
      workspaces,
      kills: { up: 2, down: 2 },
      times: { lease: 4_000, margin: 800, maxRequest: 2_000 },
      patience: 60_000,
      names: await startNames(t, { implementation: 'bind', fudge: 2, deadline: 1_500 }),
      progress: (line) => process.stderr.write(`${name}, ${line}\n`),
    });
  });
