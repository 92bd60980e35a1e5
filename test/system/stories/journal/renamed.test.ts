import test from 'ava';
import { conditionOf, ensureCrds, type Integration, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { aSeal } from '../../../unit/a-seal.ts';
import { boxes, key } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../unit/sdk/provider/a-third-party.ts';
import { workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test.serial(
    `${name}: what was made under a condition that is renamed while the status is lost is reported, and removed`,
    async (t) => {
      t.timeout(180_000);
      const party = aThirdParty();
      const keeper = boxKeeper(party.resource('opaque'));
      await ensureCrds(client, [Workspace]);
      const withIntegration = async (integration: Integration, act: () => Promise<unknown>): Promise<void> => {
        const stopping = new AbortController();
        const running = createSequencer({ client, integrations: [integration], seal: aSeal, times }).run(
          stopping.signal,
        );
        try {
          await act();
        } finally {
          stopping.abort();
          await running;
        }
      };
      await withIntegration(keeper, async () => {
        await client.create(Workspace, { metadata: key, spec: boxes({ a: 1, b: 2 }) });
        await workspaceThat(client, key.name, (one) => conditionOf(one, 'Boxes').status === 'Completed');
      });
      const operations = [{ op: 'remove', path: '/status' }] as const;
      await client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
      await withIntegration({ ...keeper, condition: 'Crates' }, async () => {
        await workspaceThat(client, key.name, (one) =>
          /for condition Boxes before/.test(conditionOf(one, 'Crates').reason),
        );
        t.is(party.boxes.length, 2);
        await client.delete(Workspace, key);
        await workspaceGone(client, key.name);
      });
      t.deepEqual(party.boxes, []);
      t.deepEqual(party.calls, ['create a', 'create b', 'delete b', 'delete a']);
    },
  );
}
