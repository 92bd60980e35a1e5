import test from 'ava';
import {
  createController,
  createProviderHost,
  NotFoundError,
  RefusedError,
  type RefusedWrite,
  requestFor,
  StaleError,
  UnreachableError,
  Workspace,
} from '../../../../../sdk/index.ts';
import { classifyWrite, refusalCodeOf } from '../../../../../sdk/provider/host/report-refusals.ts';
import {
  checkpointPatch,
  intentPatch,
  latePatch,
  outcomePatch,
} from '../../../../../sdk/provider/journal/journal-patch.ts';
import { removeMirror } from '../../../../../sdk/provider/journal/write-mirror.ts';
import { walk } from '../../../../../sequencer/engine/walk.ts';
import type { ApiRequest } from '../../../../cluster/index.ts';
import { aSeal } from '../../../a-seal.ts';
import { aTargetCluster, refusing, type TargetCluster, textOf } from '../../../a-target-cluster.ts';
import { aCondition, anEntry, aWorkspace } from '../../../a-workspace.ts';
import { boxes, key, times } from '../a-keeper.ts';
import { aThirdParty, boxKeeper } from '../a-third-party.ts';

const status = ({ url }: ApiRequest): boolean => url.split('?', 1)[0]!.endsWith('/status');
const holds =
  (...texts: readonly string[]) =>
  (request: ApiRequest): boolean =>
    request.method === 'PATCH' && texts.every((text) => textOf(request).includes(text));

/** Passes over a workspace with refusals that are reported, and the reports. */
async function aScene() {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const told: RefusedWrite[] = [];
  const host = createProviderHost({
    client: stage.client,
    clock: stage.clock,
    holder: 'one',
    events: { event: () => {} },
    seal: () => aSeal,
    times,
    observer: { refused: (write) => void told.push(write) },
  });
  const reconcile = walk({ host, integrations: [boxKeeper(party.resource('tag'))] });
  const walked = async (): Promise<void> => {
    const running = reconcile(requestFor(Workspace, await stage.read())).catch(() => undefined);
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    for (let turn = 0; !isOver && turn < 40; turn += 1) await stage.clock.advance(1_000);
  };
  return { stage, told, host, walked };
}

const refusal = (stage: TargetCluster, matches: (request: ApiRequest) => boolean, code: number) =>
  refusing(stage, matches, { code, reason: code === 422 ? 'Invalid' : 'Refused', message: 'a policy says no' });

const cases: readonly (readonly [
  write: RefusedWrite['write'],
  matches: (request: ApiRequest) => boolean,
  begin?: 'deleting',
])[] = [
  ['condition', (request) => status(request) && holds('not started')(request)],
  ['claim', (request) => !status(request) && holds('"/metadata/finalizers"')(request)],
  ['intent', (request) => status(request) && holds('"phase":"intent"')(request)],
  ['mirror', (request) => !status(request) && holds('external.se.quencer.io~1Boxes', 'token')(request)],
  ['outcome', (request) => status(request) && holds('"phase":"done"')(request)],
  ['release', holds('"remove","path":"/metadata/finalizers'), 'deleting'],
  ['outcome', (request) => status(request) && holds('"phase":"gone"')(request), 'deleting'],
];

for (const [index, [write, matches, begin]] of cases.entries())
  for (const [code, label] of [
    [403, '4xx'],
    [422, 'policy'],
    [500, '5xx'],
  ] as const)
    test(`${index}: a refused ${write}${begin ? ' of a deletion' : ''} with ${code} is reported as such`, async (t) => {
      const { stage, told, walked } = await aScene();
      await stage.create(boxes({ a: 1 }));
      if (begin !== undefined) {
        await walked();
        await stage.delete();
      }
      t.deepEqual(told, []);
      const state = refusal(stage, matches, code);
      await walked();
      t.true(state.count > 0, 'it was sent');
      t.deepEqual([...new Set(told.map((one) => `${one.write} ${one.code}`))], [`${write} ${label}`]);
      t.is(told.length, state.count, 'each once');
    });

test('a beat that is refused is reported while the task works', async (t) => {
  const { stage, told, host } = await aScene();
  await stage.client.create(Workspace, { metadata: { ...key, finalizers: ['se.quencer.io/boxes'] }, spec: {} });
  refusal(stage, (request) => status(request) && holds('/beat')(request), 422);
  const workspace = await stage.client.patch(
    Workspace,
    key,
    {
      type: 'merge',
      value: { status: { guards: { Boxes: { phase: 'none', op: 'task', key: 'k-0', token: 0, holder: 'x' } } } },
    },
    { subresource: 'status' },
  );
  const controller = createController(host, workspace, {
    type: 'Boxes',
    claim: 'se.quencer.io/boxes',
    terminating: false,
  });
  const working = controller.guard('working', async () => {
    await stage.clock.sleep(5_000);
    return { status: 'Completed', reason: 'done' };
  });
  for (let turn = 0; turn < 10; turn += 1) await stage.clock.advance(1_000);
  await working;
  t.deepEqual([...new Set(told.map((one) => `${one.write} ${one.code}`))], ['beat policy']);
});

test('a race, no answer, and a workspace that is gone are not refusals', (t) => {
  const gone = Object.assign(Object.create(NotFoundError.prototype), { code: 404 });
  for (const error of [new StaleError('changed'), Object.create(UnreachableError.prototype), gone, new Error('else')])
    t.is(refusalCodeOf(error), undefined);
  t.is(refusalCodeOf(new RefusedError('no')), 'policy');
});

test('writes about many ids are told apart as those about a few', (t) => {
  const refs = Array.from({ length: 20 }, (_, index) => ({ slot: `b${index}`, id: { id: index } }));
  const workspace = aWorkspace({ guards: { DNS: { refs: refs as never } }, conditions: { DNS: 'Completed' } });
  const slot = (phase: 'intent' | 'done') => ({
    type: 'DNS',
    entry: anEntry({ phase, token: 2, refs: refs as never }),
    condition: aCondition('DNS', 'Locked'),
  });
  const held = { token: 1, holder: 'one/a' };
  t.is(
    classifyWrite({
      status: true,
      operations: intentPatch({ workspace, generation: 1 }, 'se.quencer.io/dns', slot('intent')),
    }),
    'intent',
  );
  t.is(classifyWrite({ status: true, operations: outcomePatch(workspace, held, slot('done')) }), 'outcome');
  const more = [...refs, { slot: 'b20', id: { id: 20 } }];
  t.is(classifyWrite({ status: true, operations: checkpointPatch(workspace, slot('intent'), more) }), 'checkpoint');
  t.is(classifyWrite({ status: true, operations: latePatch(anEntry({ token: 1 }), 'DNS', refs) }), 'outcome');
  const paged = aWorkspace({ annotations: { 'external-1.se.quencer.io/DNS': '[]' } });
  t.is(classifyWrite({ status: false, operations: removeMirror(paged, 'DNS') }), 'mirror');
});
