import test from 'ava';
import { startRealServer } from '../../real/server.ts';
import { tellOfChaos } from './chaos.ts';
import { startNames } from './names.ts';

test.serial(
  '200 workspaces survive two replicas of which one is killed every second, and a foreign writer',
  async (t) => {
    t.timeout(420_000);
    const { kubeconfigPath, close } = await startRealServer();
    t.teardown(close);
    await tellOfChaos(t, {
      kubeconfigPath,
      names: await startNames(t, { implementation: 'knot', fudge: 1, deadline: 1_000 }),
      workspaces: 200,
      chaos: { up: 121_000, down: 15_000 },
      times: { lease: 2_000, margin: 400, maxRequest: 1_000 },
      progress: (line) => process.stderr.write(`chaos, ${line}\n`),
    });
  },
);
