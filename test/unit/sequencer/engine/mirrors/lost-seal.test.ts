import test from 'ava';
import { createSeal } from '../../../../../sdk/host/index.ts';
import {
  conditionOf,
  type ExternalResource,
  mirrorAnnotation,
  policyAnnotation,
  Workspace,
} from '../../../../../sdk/index.ts';
import { adoptUid } from '../../../../../sequencer/cli/commands/adopt.ts';
import { stuckIn } from '../../../../../sequencer/cli/doctor/stuck.ts';
import { lostSealReason } from '../../../../../sequencer/engine/mirrors/lost-seal.ts';
import { viewOf } from '../../../../../sequencer/page/workspace-view.ts';
import { recordedPlanOf } from '../../../../../sequencer/planning/plan-from-status.ts';
import { planRows } from '../../../../../sequencer/planning/plan-rows.ts';
import { aSeal } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aWorkspace } from '../../../a-workspace.ts';
import { boxes, key, restored, times } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type ThirdParty } from '../../../sdk/provider/a-third-party.ts';

type More = Partial<ExternalResource<Box, BoxId>>;
type Identity = ExternalResource<Box, BoxId>['identity'];

const newSeal = createSeal('the-cluster', [Buffer.alloc(32, 9)]);
const withAll = ({ boxes: all }: ThirdParty): More => ({
  findAll: async ({ mark }) =>
    all.filter((box) => box.mark.startsWith(mark)).map((box) => ({ slot: box.name, id: { id: box.id } })),
});

/** Resources, by what they can. */
const ways: Readonly<Record<string, readonly [Identity, (party: ThirdParty) => More]>> = {
  'name, with observe': ['name', () => ({})],
  'name, without observe': ['name', () => ({ observe: undefined }) as unknown as More],
  'name, with replaceMark': ['name', ({ replaceMark }) => ({ replaceMark })],
  'tag, with observe': ['tag', () => ({})],
  'tag, without observe': ['tag', () => ({ observe: undefined }) as unknown as More],
  'tag, with findAll and replaceMark': ['tag', (party) => ({ ...withAll(party), replaceMark: party.replaceMark })],
  key: ['key', () => ({})],
  'key, with findAll': ['key', withAll],
  opaque: ['opaque', () => ({})],
};

/** A workspace with two boxes that came back from a backup, and an operator whose Secret did not. */
async function afterADisaster(identity: Identity, more: (party: ThirdParty) => More, finalizers: boolean) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const integration = boxKeeper(party.resource(identity, more(party)));
  const former = target.actor([integration], { times });
  await target.create(boxes({ a: 1, b: 2 }));
  await former.walk();
  const { uid = '' } = (await target.read()).metadata;
  former.die();
  await restored(target, { finalizers });
  const calls = [...party.calls];
  const operator = (seal = newSeal) => target.actor([integration], { holder: 'two', times, seal });
  const settled = async (actor: ReturnType<typeof operator>) => {
    for (let turn = 0; turn < 8; turn += 1) {
      await actor.walk().catch(() => undefined);
      await target.clock.advance(24_000);
    }
  };
  const said = async () => conditionOf(await target.read(), 'Boxes');
  return { target, party, uid, calls, operator, settled, said };
}

const creations = ({ calls }: ThirdParty) => calls.filter((call) => call.startsWith('create'));
const theTwo = ({ boxes: all }: ThirdParty) => all.map(({ name, size }) => `${name} ${size}`).sort();

for (const finalizers of [true, false])
  for (const [title, [identity, more]] of Object.entries(ways)) {
    const about = `${title}, ${finalizers ? 'with' : 'without'} finalizers`;

    test(`restored without the Secret of the seal (${about}): a person is asked, nothing is made or removed, and it is reported once`, async (t) => {
      const { target, party, uid, calls, operator, settled, said } = await afterADisaster(identity, more, finalizers);
      const actor = operator();
      await settled(actor);
      const { status, reason } = await said();
      t.is(status, 'Unknown');
      t.regex(reason, /^key [0-9a-f]{8}, .* is not in the Secret sequencer-seal of the operator: /);
      t.true(reason.endsWith(`sequencer adopt shop --was ${uid}`));
      t.is(actor.events.filter((event) => event.reason === 'SealLost').length, 1);
      const options = { now: target.clock.now(), registered: new Set(['boxes']), operatorNamespace: 'ops' };
      const [finding] = stuckIn([await target.read()], options);
      t.regex(
        finding?.next ?? '',
        /^restore the Secret sequencer-seal in namespace ops, or: sequencer adopt shop --was /,
      );
      await target.delete();
      await settled(actor);
      t.is((await said()).status, 'Unknown', 'nor does it go');
      t.deepEqual(party.calls, calls);
    });

    test(`restored without the Secret of the seal (${about}): once that is back, it continues by itself`, async (t) => {
      const { target, party, calls, operator, settled, said } = await afterADisaster(identity, more, finalizers);
      await settled(operator());
      await settled(operator(aSeal));
      t.is((await said()).status, 'Completed');
      t.deepEqual(creations(party), calls);
      await target.delete();
      await settled(operator(aSeal));
      await t.throwsAsync(target.read(), { name: 'NotFoundError' });
      t.deepEqual(party.boxes, []);
    });

    test(`restored without the Secret of the seal (${about}): adopted with the ids that were looked at, it is taken over`, async (t) => {
      const { target, party, uid, calls, operator, settled, said } = await afterADisaster(identity, more, finalizers);
      const actor = operator();
      await settled(actor);
      const adoption = { workspace: await target.read(), was: uid, conditions: [] };
      await t.throwsAsync(adoptUid(target.client, newSeal, adoption), { code: 'E#2042', message: /It names .*box-1/ });
      await settled(actor);
      t.is((await said()).status, 'Unknown', 'nothing is trusted before');
      await adoptUid(target.client, newSeal, { ...adoption, ids: 'trust' });
      await settled(actor);
      t.is((await said()).status, 'Completed');
      t.deepEqual(theTwo(party), ['a 1', 'b 2']);
      t.deepEqual(creations(party), calls);
      await target.delete();
      await settled(actor);
      await t.throwsAsync(target.read(), { name: 'NotFoundError' });
      t.deepEqual(party.boxes, []);
    });

    if (['name', 'tag'].includes(identity) || title.includes('findAll'))
      test(`restored without the Secret of the seal (${about}): adopted without ids, it finds its own by mark`, async (t) => {
        const { target, party, uid, calls, operator, settled, said } = await afterADisaster(identity, more, finalizers);
        const actor = operator();
        await settled(actor);
        await adoptUid(target.client, newSeal, {
          workspace: await target.read(),
          was: uid,
          conditions: [],
          ids: 'search',
        });
        await settled(actor);
        t.is((await said()).status, 'Completed');
        t.deepEqual(creations(party), calls);
        await target.delete();
        await settled(actor);
        await t.throwsAsync(target.read(), { name: 'NotFoundError' });
        t.deepEqual(party.boxes, []);
      });
  }

test('restored without the Secret of the seal: what is to be left outside is left, and the workspace goes', async (t) => {
  const { target, party, operator, settled } = await afterADisaster('tag', () => ({}), true);
  const actor = operator();
  await settled(actor);
  const annotations = { [policyAnnotation('Boxes')]: 'orphan' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await target.delete();
  await settled(actor);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(theTwo(party), ['a 1', 'b 2']);
});

test('a workspace whose status alone was lost finds its own by mark, whatever key has signed', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const integration = boxKeeper(party.resource('tag'));
  await target.create(boxes({ a: 1 }));
  await target.actor([integration], { times }).walk();
  const value = { status: { conditions: null, guards: null } };
  await target.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  const actor = target.actor([integration], { holder: 'two', times, seal: newSeal });
  for (let turn = 0; turn < 6; turn += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.deepEqual(
    party.calls.filter((call) => call.startsWith('create')),
    ['create a'],
  );
});

test('what a tenant writes there of other uids, names or texts holds up no other, and nothing but their own', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const actor = target.actor([boxKeeper(party.resource('tag'))], { times });
  const head = { ...key, condition: 'Boxes', cluster: 'the-cluster', token: 3, refs: [], requestMs: 0, outcome: {} };
  const seal = `0badc0de.${'A'.repeat(43)}`;
  const texts = [
    '{',
    '[]',
    JSON.stringify({ ...head, seal, uid: 'x'.repeat(65) }),
    JSON.stringify({ ...head, seal, uid: { a: 1 } }),
  ];
  for (const [index, text] of texts.entries()) {
    const metadata = {
      namespace: 'default',
      name: `shop-${index}`,
      annotations: { [mirrorAnnotation('Boxes')]: text },
    };
    await target.client.create(Workspace, { metadata, spec: boxes({ [`box-${index}`]: 1 }) });
    for (let turn = 0; turn < 6; turn += 1) {
      await actor.walk(`shop-${index}`).catch(() => undefined);
      await target.clock.advance(24_000);
    }
    t.is(conditionOf(await target.read(`shop-${index}`), 'Boxes').status, 'Completed', text);
  }
});

test('plan and page know no key, and say what the operator has told of one that was lost, on deletion too', async (t) => {
  const { target, party, uid, operator, settled, said } = await afterADisaster('tag', () => ({}), true);
  const integrations = [boxKeeper(party.resource('tag'))];
  const redact = (text: string) => text;
  const history = { spansOf: () => [], journalChangedAt: () => undefined };
  const shown = async () => {
    const workspace = await target.read();
    const signal = AbortSignal.timeout(60_000);
    const [planned] = await planRows(workspace, { client: target.client, clock: target.clock, integrations, signal });
    const [recorded] = recordedPlanOf(workspace, integrations, redact);
    const { conditions } = viewOf(workspace, { integrations, history, events: [], redact });
    return { planned, recorded, next: conditions.find(({ type }) => type === 'Boxes')?.next };
  };
  const actor = operator();
  await settled(actor);
  for (const isDeleting of [false, true]) {
    if (isDeleting) await target.delete();
    const { planned, recorded, next } = await shown();
    for (const row of [planned, recorded]) {
      t.is(row?.action, 'unknown');
      t.regex(row?.what ?? '', new RegExp(`^waits for a person: key .*sequencer adopt shop --was ${uid}$`));
    }
    t.is(next, 'wait for a person: the key of its ids was lost, and its condition says how to continue');
  }
  await settled(operator(aSeal));
  await t.throwsAsync(said(), { name: 'NotFoundError' });
});

for (const text of ['', '{', '7', 'null', '{"namespace":"default","name":"shop","uid":"other","seal":"x"}'])
  test(`a mirror that is not a record, or unsigned, tells of no lost seal: ${text}`, (t) => {
    const annotations = { [mirrorAnnotation('Boxes')]: text };
    t.is(lostSealReason(aWorkspace({ annotations, conditions: { Boxes: 'Unknown' } }), 'Boxes'), undefined);
  });
