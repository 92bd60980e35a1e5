import test from 'ava';
import { components } from '../../../integrations/components/index.ts';
import {
  conditionOf,
  DefiniteError,
  defineIntegration,
  type Integration,
  type Kind,
  Pod,
  Service,
  Workspace,
} from '../../../sdk/index.ts';
import { connectTo, startSequencer, workspaceGone, workspaceThat } from './sequencing.ts';
import { type StoryServer, startServersUnderTest } from './servers.ts';

const isFor =
  (name: string): Integration['handles'] =>
  ({ metadata }) =>
    metadata.name.startsWith(name);

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

/** Integration with an invalid desired state. */
function refuser() {
  const asked: string[] = [];
  const refuse = (what: string) => async () => {
    asked.push(what);
    throw new DefiniteError('www.evil.com. is outside of the zone');
  };
  const connect = () => ({ reconcile: refuse('reconcile'), terminate: refuse('terminate') });
  return {
    asked,
    integration: defineIntegration({ name: 'refuser', condition: 'Refused', handles: isFor('outside'), connect }),
  };
}

const thrower = defineIntegration({
  name: 'thrower',
  condition: 'Thrown',
  handles: ({ metadata }) => {
    if (metadata.name.startsWith('thrown')) throw new Error('no spec');
    return false;
  },
  connect: greeter.connect,
});

/** Incorrect integration: records an id and reports Terminated without deleting the thing. */
const forgetful = defineIntegration({
  name: 'forgetful',
  condition: 'Forgotten',
  handles: isFor('forgotten'),
  connect: ({ controller }) => ({
    async reconcile() {
      if (controller.refs.length > 0) return;
      await controller.guard('making', async () => ({ status: 'Completed', reason: 'made', refs: [{ id: 'a' }] }));
    },
    terminate: () => controller.updateCondition('Terminated', 'gone'),
  }),
});

/** Integration whose third party does not delete what it has. */
const stubborn = defineIntegration({
  name: 'stubborn',
  condition: 'Kept',
  handles: isFor('kept'),
  connect: ({ controller }) => ({
    async reconcile() {
      if (controller.refs.length > 0) return;
      await controller.guard('making', async () => ({ status: 'Completed', reason: 'made', refs: [{ id: 'a' }] }));
    },
    terminate: () =>
      controller.guard('deleting', async () => {
        throw new DefiniteError('in use');
      }),
  }),
});

const keyOf = (name: string) => ({ namespace: 'default', name });

/** Starts a sequencer on a server with all of them. */
async function scene(server: StoryServer) {
  const { asked, integration } = refuser();
  const client = await connectTo(server);
  const integrations = [components(), integration, thrower, forgetful, stubborn, greeter];
  return { asked, client, sequencer: await startSequencer(client, integrations) };
}

const servers = await startServersUnderTest();
const scenes = await Promise.all(servers.map(scene));

for (const [index, { name, close }] of servers.entries()) {
  const { asked, client, sequencer } = scenes[index]!;
  test.after.always(`${name} stops`, async () => {
    await sequencer.stop();
    await client.close();
    await close();
  });
  const create = (workspace: string) => client.create(Workspace, { metadata: keyOf(workspace), spec: {} });

  test(`${name}: a workspace for which nothing could ever be begun is deleted at once`, async (t) => {
    await create('outside');
    const failed = await workspaceThat(client, 'outside', (seen) => conditionOf(seen, 'Refused').status === 'Error');
    t.is(conditionOf(failed, 'Refused').reason, 'www.evil.com. is outside of the zone');
    await client.delete(Workspace, keyOf('outside'));
    await workspaceGone(client, 'outside');
    t.false(asked.includes('terminate'));
  });

  test(`${name}: an integration whose handles throws costs its own condition alone, and is named`, async (t) => {
    await create('thrown');
    const seen = await workspaceThat(
      client,
      'thrown',
      (workspace) =>
        conditionOf(workspace, 'Greeting').status === 'Completed' &&
        conditionOf(workspace, 'Thrown').status === 'Error' &&
        workspace.status?.phase === 'Error',
    );
    const reason = 'integration "thrower" (condition Thrown): handles must not throw; it threw no spec';
    t.is(conditionOf(seen, 'Thrown').reason, reason);
    await client.delete(Workspace, keyOf('thrown'));
    await workspaceGone(client, 'thrown');
  });

  test(`${name}: an integration that says Terminated while ids are recorded is told so, with a way out`, async (t) => {
    await create('forgotten');
    await workspaceThat(client, 'forgotten', (seen) => conditionOf(seen, 'Forgotten').status === 'Completed');
    await client.delete(Workspace, keyOf('forgotten'));
    const held = await workspaceThat(client, 'forgotten', (seen) => conditionOf(seen, 'Forgotten').status === 'Error');
    t.regex(
      conditionOf(held, 'Forgotten').reason,
      /terminate says Terminated, but the journal still holds \[\{"id":"a"\}\]/,
    );
    const annotations = { 'policy.se.quencer.io/Forgotten': 'orphan' };
    await client.patch(Workspace, keyOf('forgotten'), { type: 'merge', value: { metadata: { annotations } } });
    await workspaceGone(client, 'forgotten');
  });

  test(`${name}: a deletion that is refused for good is reported with the way out, which works, and holds up no other`, async (t) => {
    await create('kept');
    await workspaceThat(
      client,
      'kept',
      (seen) =>
        conditionOf(seen, 'Kept').status === 'Completed' && conditionOf(seen, 'Greeting').status === 'Completed',
    );
    await client.delete(Workspace, keyOf('kept'));
    const held = await workspaceThat(
      client,
      'kept',
      (seen) => conditionOf(seen, 'Kept').status === 'Error' && seen.metadata.finalizers?.length === 1,
    );
    t.is(
      conditionOf(held, 'Kept').reason,
      'in use; annotate policy.se.quencer.io/Kept=orphan to leave what is outside and let the workspace go',
    );
    t.deepEqual(held.metadata.finalizers, ['se.quencer.io/stubborn']);
    await create('beside');
    await workspaceThat(client, 'beside', (seen) => conditionOf(seen, 'Greeting').status === 'Completed');
    await client.delete(Workspace, keyOf('beside'));
    await workspaceGone(client, 'beside');
    const annotations = { 'policy.se.quencer.io/Kept': 'orphan' };
    await client.patch(Workspace, keyOf('kept'), { type: 'merge', value: { metadata: { annotations } } });
    await workspaceGone(client, 'kept');
  });

  test(`${name}: a pod that wants the processes of its host is refused before anything is created, and its workspace can be deleted`, async (t) => {
    const container = { name: 'web', image: 'web:1' };
    const networks = [{ name: 'http', port: 80, targetPort: 80, protocol: 'TCP' }] as const;
    const plain = { name: 'db', networks, template: { containers: [container] } };
    const escaping = { name: 'web', networks, template: { containers: [container], hostPID: true } };
    await client.create(Workspace, { metadata: keyOf('escaping'), spec: { components: [plain, escaping] } });
    const refused = await workspaceThat(
      client,
      'escaping',
      (seen) =>
        conditionOf(seen, 'Components').status === 'Error' && conditionOf(seen, 'Greeting').status === 'Completed',
    );
    t.regex(conditionOf(refused, 'Components').reason, /^component web: template\.hostPID: /);
    for (const kind of [Pod, Service] as readonly Kind[]) {
      const { items } = await client.list(kind, { namespace: 'default' });
      t.deepEqual(
        items.map(({ metadata }) => metadata.name).filter((one) => one.startsWith('escaping')),
        [],
      );
    }
    await client.delete(Workspace, keyOf('escaping'));
    await workspaceGone(client, 'escaping');
  });
}
