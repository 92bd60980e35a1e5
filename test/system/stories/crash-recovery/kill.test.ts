import test from 'ava';
import { startServersUnderTest } from '../servers.ts';
import { tellOfKills } from './story.ts';

for (const { name, kubeconfigPath, close } of await startServersUnderTest()) {
  test.after.always(`${name} stops`, close);

  test(`${name}: a killed sequencer leaves nothing twice and nothing behind`, async (t) => {
    t.timeout(180_000);
    await tellOfKills(t, {
      kubeconfigPath,
      workspaces: 40,
      kills: { up: 1, down: 1 },
      times: { lease: 2_000, margin: 400, maxRequest: 1_000 },
      patience: 30_000,
    });
  });
}
