import test from 'ava';
import { conditionOf, defineIntegration, Workspace } from '../../../../sdk/index.ts';
import { connectTo, isReady, startSequencer, workspaceGone, workspaceThat } from '../sequencing.ts';
import { type StoryServer, startServersUnderTest } from '../servers.ts';

const members = ['connect', 'reconcile', 'terminate'] as const;
type Member = (typeof members)[number];
const patience = 14_000;
const keyOf = (name: string) => ({ namespace: 'default', name });

/** Correct integration that every workspace requests. */
const greeter = defineIntegration({
  name: 'greeter',
  condition: 'Greeting',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'said'),
    terminate: () => controller.updateCondition('Terminated', 'unsaid'),
  }),
});

/** Integration with one member that gives no answer, of the workspace with its name, while it is among `hanging`. */
function hanger() {
  const hanging = new Set<string>(members);
  const answer = async (member: Member, workspace: Workspace): Promise<void> => {
    if (workspace.metadata.name === member && hanging.has(member)) await new Promise<never>(() => {});
  };
  const integration = defineIntegration({
    name: 'hanger',
    condition: 'Hung',
    handles: () => true,
    async connect({ workspace, controller }) {
      await answer('connect', workspace);
      return {
        async reconcile() {
          await answer('reconcile', workspace);
          await controller.updateCondition('Completed', 'answered');
        },
        async terminate() {
          await answer('terminate', workspace);
          await controller.updateCondition('Terminated', 'answered');
        },
      };
    },
  });
  return { hanging, integration };
}

/** Starts a sequencer on a server with both. */
async function scene(server: StoryServer) {
  const { hanging, integration } = hanger();
  const client = await connectTo(server);
  const times = { call: patience };
  return { hanging, client, sequencer: await startSequencer(client, [integration, greeter], { times }) };
}

const servers = await startServersUnderTest();
const scenes = await Promise.all(servers.map(scene));

for (const [index, { name, close }] of servers.entries()) {
  const { hanging, client, sequencer } = scenes[index]!;
  test.after.always(`${name} stops`, async () => {
    await sequencer.stop();
    await client.close();
    await close();
  });

  for (const member of members)
    test(`${name}: a ${member} that hangs says until when it is waited for, costs no other, and heals`, async (t) => {
      t.timeout(180_000);
      const deleting = member === 'terminate';
      const [greeting, beside] = [deleting ? 'Terminated' : 'Completed', `beside-${member}`];
      await client.create(Workspace, { metadata: keyOf(member), spec: {} });
      if (deleting) {
        await workspaceThat(client, member, isReady);
        await client.delete(Workspace, keyOf(member));
      }
      await workspaceThat(client, member, (seen) => conditionOf(seen, 'Greeting').status === greeting);
      await client.create(Workspace, { metadata: keyOf(beside), spec: {} });
      await workspaceThat(client, beside, isReady);

      const waiting = await workspaceThat(client, member, (seen) => conditionOf(seen, 'Hung').status === 'Waiting');
      const said = new RegExp(`^${member} has not answered since (\\S+Z), and is given up at (\\S+Z)$`);
      const [, since = '', until = ''] = said.exec(conditionOf(waiting, 'Hung').reason) ?? [];
      const span = Date.parse(until) - Date.parse(since);
      t.true(Math.abs(span - patience) < 2_000, conditionOf(waiting, 'Hung').reason);

      const givenUp = await workspaceThat(client, member, (seen) => conditionOf(seen, 'Hung').status === 'Error');
      const error = `integration "hanger" (condition Hung): ${member} must answer within ${patience} ms; found no answer since ${since}`;
      t.true(conditionOf(givenUp, 'Hung').reason.startsWith(error), conditionOf(givenUp, 'Hung').reason);

      hanging.delete(member);
      if (!deleting) {
        await workspaceThat(client, member, isReady);
        await client.delete(Workspace, keyOf(member));
      }
      await workspaceGone(client, member);
      await client.delete(Workspace, keyOf(beside));
      await workspaceGone(client, beside);
    });
}
