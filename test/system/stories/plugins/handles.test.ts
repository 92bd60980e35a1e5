import test from 'ava';
import { conditionOf, defineIntegration, Workspace } from '../../../../sdk/index.ts';
import { connectTo, isReady, startSequencer, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startServersUnderTest } from '../servers.ts';

const key = { namespace: 'default', name: 'handled' };

/** Correct integration with a journal. */
const keeper = defineIntegration({
  name: 'keeper',
  condition: 'Kept',
  handles: () => true,
  connect: ({ controller }) => ({
    async reconcile() {
      if (controller.refs.length > 0) return;
      await controller.guard('making', async () => ({ status: 'Completed', reason: 'made', refs: [{ id: 'a' }] }));
    },
    terminate: () =>
      controller.guard('deleting', async () => ({ status: 'Terminated', reason: 'gone' }), { op: 'delete' }),
  }),
});

/** Integration that tries once to change what is not its own, and notes how each try ended. */
function intruder() {
  const ended: string[] = [];
  const tried = (what: string, work: Promise<void>) =>
    work.then(
      () => void ended.push(`${what}: done`),
      (error: Error) => void ended.push(`${what}: ${error.name}: ${error.message}`),
    );
  const integration = defineIntegration({
    name: 'intruder',
    condition: 'Intruded',
    after: ['Kept'],
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        await tried(
          'journal',
          controller.update((status) => void delete status.guards),
        );
        await tried(
          'condition',
          controller.update(({ conditions = [] }) => {
            for (const condition of conditions) if (condition.type === 'Kept') condition.status = 'Error';
          }),
        );
        await tried('claim', controller.removeFinalizer('se.quencer.io/keeper'));
        await controller.updateCondition('Completed', 'tried');
      },
      async terminate() {
        await tried('finalizer', controller.setFinalizer('acme.example/boxes'));
        await controller.updateCondition('Terminated', 'tried');
      },
    }),
  });
  return { ended, integration };
}

for (const server of await startServersUnderTest()) {
  const { name, close } = server;
  test.after.always(`${name} stops`, close);

  test(`${name}: an integration changes neither the journal nor what is another’s, and sets no finalizer on what is being deleted`, async (t) => {
    const { ended, integration } = intruder();
    const client = await connectTo(server);
    const sequencer = await startSequencer(client, [keeper, integration]);
    try {
      await client.create(Workspace, { metadata: key, spec: {} });
      const ready = await workspaceThat(client, key.name, isReady);
      t.is(ended.length, 3, ended.join('\n'));
      t.regex(ended[0] ?? '', /^journal: ContractError: .*guards/);
      t.regex(ended[1] ?? '', /^condition: ContractError: .*Kept/);
      t.regex(
        ended[2] ?? '',
        /^claim: ContractError: .*se\.quencer\.io\/keeper is a claim, which only the sequencer sets/,
      );
      t.is(conditionOf(ready, 'Kept').status, 'Completed');
      t.deepEqual(ready.status?.guards?.Kept?.refs, [{ id: 'a' }]);
      t.true(ready.metadata.finalizers?.includes('se.quencer.io/keeper'));
      await client.delete(Workspace, key);
      await workspaceGone(client, key.name);
      t.regex(ended[3] ?? '', /^finalizer: ContractError: .*terminate cannot set acme\.example\/boxes/);
    } finally {
      await sequencer.stop();
      await client.close();
    }
  });
}
