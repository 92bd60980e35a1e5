import test from 'ava';
import { type Announcement, type AnnouncementSetup, announcer } from '../../../../integrations/notify/announcements.ts';
import { conditionOf, DefiniteError, defineIntegration, resolveAnnotation, Workspace } from '../../../../sdk/index.ts';
import { signedText } from '../../a-seal.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aSlowPart } from './fixtures/a-slow-part.ts';

const type = 'AnnouncedByTest';
const key = { namespace: 'default', name: 'shop' };

/** Environment of one slow part, and the messages about it. */
async function anEnvironment(setup: Partial<AnnouncementSetup> = {}) {
  const stage = await aTargetCluster();
  const part = aSlowPart();
  const sent: string[] = [];
  const all: AnnouncementSetup = {
    identity: {},
    changes: ({ spec }) => spec.integrations?.told,
    mistakeIn: () => undefined,
    async send({ event }: Announcement) {
      sent.push(event);
      return { id: `message ${sent.length}` };
    },
    ...setup,
  };
  const integration = defineIntegration({
    name: 'announced-by-test',
    condition: type,
    handles: ({ spec }) => spec.integrations?.quiet === undefined,
    connect: ({ controller }) => announcer(controller, all),
  });
  const actor = stage.actor([part.integration, integration]);
  await stage.create();
  const integrationsOf = (integrations: object) =>
    stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations } } });
  return {
    ...stage,
    part,
    sent,
    actor,
    want: integrationsOf,
    /** Walks some times, seconds apart. */
    async walks(times = 4) {
      for (let walk = 0; walk < times; walk += 1) {
        await actor.walk().catch(() => undefined);
        await stage.clock.advance(5_000);
      }
    },
    said: async () => {
      const { status, reason } = conditionOf(await stage.read(), type);
      return `${status}: ${reason}`;
    },
    /** Answers the question of the condition, as `sequencer resolve` does. */
    async answer(verb: 'retry' | 'orphan' | 'adopt') {
      const workspace = await stage.read();
      const token = workspace.status?.guards?.[type]?.token ?? 0;
      const answer = signedText(workspace, type, `${verb}@${token}${verb === 'adopt' ? '=sent' : ''}`);
      const annotations = { [resolveAnnotation(type)]: answer };
      await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
    },
  };
}

test('it is reported once that an environment came, once that it went, and each change between', async (t) => {
  const { walks, said, sent, part, want, delete: remove, read } = await anEnvironment();
  await walks();
  t.deepEqual([sent, await said()], [[], 'Waiting: announced once all other conditions are there']);
  part.state = 'there';
  await walks();
  t.deepEqual([sent, await said()], [['came'], 'Completed: announced that it came']);
  await want({ other: 1 });
  await walks();
  t.deepEqual(sent, ['came'], 'a change of something else');
  await want({ told: 1 });
  await walks();
  t.deepEqual([sent, await said()], [['came', 'changed'], 'Completed: announced that it has changed']);
  await want({ told: 2 });
  await walks();
  await want({ told: 1 });
  await walks();
  t.deepEqual(sent, ['came', 'changed', 'changed', 'changed'], 'there and back');
  t.is((await read()).status?.guards?.[type]?.refs?.length, 2);
  await remove();
  await walks();
  t.deepEqual([sent.length, await said()], [4, 'In Progress: announced once all other conditions are gone']);
  part.state = 'gone';
  await walks();
  t.deepEqual(sent.slice(4), ['went']);
  await t.throwsAsync(read());
});

test('of an environment that never came nothing is reported', async (t) => {
  const { walks, sent, part, delete: remove, read } = await anEnvironment();
  await walks();
  await remove();
  part.state = 'gone';
  await walks();
  t.deepEqual(sent, []);
  await t.throwsAsync(read());
});

test('an environment that is not told of any more goes without a word, and came again when it is', async (t) => {
  const { walks, sent, part, want } = await anEnvironment();
  part.state = 'there';
  await walks();
  await want({ quiet: true });
  await walks();
  t.deepEqual(sent, ['came']);
  await want({ quiet: null });
  await walks();
  t.deepEqual(sent, ['came', 'came']);
});

test('what was not sent is sent again, and a mistake in what is asked for is reported', async (t) => {
  let refusals = 2;
  let mistake: string | undefined = 'spec.integrations.x is wrong';
  const { walks, said, sent, part, clock } = await anEnvironment({
    mistakeIn: () => mistake,
    async send({ event }) {
      refusals -= 1;
      if (refusals >= 0) throw new DefiniteError('no');
      sent.push(event);
      return { id: 'm', remark: 'not to all' };
    },
  });
  part.state = 'there';
  await walks();
  t.is(await said(), 'Error: spec.integrations.x is wrong');
  mistake = undefined;
  await walks(1);
  t.is(await said(), 'Error: no');
  await clock.advance(60_000);
  await walks();
  t.deepEqual([sent, await said()], [['came'], 'Completed: announced that it came (not to all)']);
});

for (const { verb, sent: expected } of [
  { verb: 'retry', sent: ['came', 'came'] },
  { verb: 'adopt', sent: ['came'] },
] as const)
  test(`a message with no known outcome waits for a person, who says ${verb}`, async (t) => {
    let isLost = true;
    const {
      walks,
      said,
      sent,
      part,
      answer,
      want,
      delete: remove,
    } = await anEnvironment({
      async send({ event }) {
        sent.push(event);
        if (isLost) throw new Error('the answer was lost');
        return { id: 'm' };
      },
    });
    part.state = 'there';
    await walks();
    t.regex(await said(), /^Unknown: whether "create" .* was carried out is unknown: the answer was lost/);
    t.deepEqual(sent, ['came']);
    isLost = false;
    await answer(verb);
    await walks();
    t.deepEqual([sent, await said()], [expected, 'Completed: announced that it came']);
    await want({ told: 1 });
    await walks();
    t.deepEqual(sent.slice(expected.length), ['changed']);
    await remove();
    part.state = 'gone';
    await walks();
    t.is(sent.at(-1), 'went');
  });

for (const verb of ['retry', 'adopt', 'orphan'] as const)
  test(`a last message with no known outcome keeps the workspace until a person says ${verb}`, async (t) => {
    let isLost = false;
    const {
      walks,
      said,
      sent,
      part,
      answer,
      delete: remove,
      read,
    } = await anEnvironment({
      async send({ event }) {
        sent.push(event);
        if (isLost) throw new Error('the answer was lost');
        return { id: 'm' };
      },
    });
    part.state = 'there';
    await walks();
    await remove();
    part.state = 'gone';
    isLost = true;
    await walks();
    t.regex(await said(), /^Unknown: whether "delete" /);
    isLost = false;
    await answer(verb);
    await walks();
    t.deepEqual(sent, ['came', 'went', ...(verb === 'retry' ? ['went'] : [])]);
    await t.throwsAsync(read());
  });

test('with a key a lost message is sent again with it, also while the environment is deleted', async (t) => {
  const keys: string[] = [];
  let isLost = true;
  const {
    walks,
    sent,
    part,
    clock,
    delete: remove,
    read,
  } = await anEnvironment({
    identity: { identity: 'key', validForMs: 86_400_000 },
    async send({ event, key: id }) {
      sent.push(event);
      keys.push(id);
      if (isLost) throw new Error('the answer was lost');
      return { id: 'm' };
    },
  });
  part.state = 'there';
  await walks(2);
  t.deepEqual(sent, ['came']);
  await remove();
  part.state = 'gone';
  isLost = false;
  await clock.advance(120_000);
  await walks();
  t.deepEqual(sent, ['came', 'came', 'went']);
  t.is(keys[0], keys[1]);
  t.not(keys[1], keys[2]);
  await t.throwsAsync(read());
});
