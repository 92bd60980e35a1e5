import test from 'ava';
import { conditionOf, defineIntegration, RetryError, Workspace } from '../../../../sdk/index.ts';
import { connectTo, isReady, startSequencer, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startServersUnderTest } from '../servers.ts';

const keyOf = (name: string) => ({ namespace: 'default', name });

/** Calls after which it gives in: without a bound nothing else in this process would ever run. */
const most = 3_000;

/** Integration that asks to be called again without a delay, by a result or an error, and waits for nothing itself. */
function impatient() {
  const calls = new Map<string, number>();
  const integration = defineIntegration({
    name: 'impatient',
    condition: 'Hurry',
    handles: ({ metadata }) => ['returns', 'throws'].includes(metadata.name),
    connect: ({ workspace: { metadata }, controller }) => ({
      async reconcile() {
        const count = (calls.get(metadata.name) ?? 0) + 1;
        calls.set(metadata.name, count);
        await controller.updateCondition(count < most ? 'In Progress' : 'Completed', 'at work');
        if (metadata.name === 'throws' && count < most) throw new RetryError('again', { retryAfter: 0 });
        return count < most ? { requeueAfter: 0 } : undefined;
      },
      terminate: () => controller.updateCondition('Terminated', 'released'),
    }),
  });
  return { calls, integration };
}

const greeter = defineIntegration({
  name: 'greeter',
  condition: 'Greeting',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'said'),
    terminate: () => controller.updateCondition('Terminated', 'unsaid'),
  }),
});

for (const server of await startServersUnderTest()) {
  const { name } = server;
  test.after.always(`${name} stops`, () => server.close());

  for (const way of ['returns', 'throws'])
    test.serial(
      `${name}: an integration that ${way} 0 ms without an end costs no other and little itself`,
      async (t) => {
        const { calls, integration } = impatient();
        const client = await connectTo(server);
        const sequencer = await startSequencer(client, [integration, greeter]);
        const began = performance.now();
        await client.create(Workspace, { metadata: keyOf(way), spec: {} });
        await workspaceThat(client, way, (seen) => conditionOf(seen, 'Greeting').status === 'Completed');
        await client.create(Workspace, { metadata: keyOf(`beside-${way}`), spec: {} });
        await workspaceThat(client, `beside-${way}`, isReady);
        const bound = 20 + (performance.now() - began) / 50;
        t.true((calls.get(way) ?? 0) <= bound, `${calls.get(way)} calls, ${Math.round(bound)} at most`);
        for (const one of [way, `beside-${way}`]) {
          await client.delete(Workspace, keyOf(one));
          await workspaceGone(client, one);
        }
        await sequencer.stop();
        await client.close();
      },
    );
}
