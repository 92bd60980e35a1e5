import test from 'ava';
import { conditionOf, type ExternalResource, resolveAnnotation, Workspace } from '../../../sdk/index.ts';
import type { ApiRequest } from '../../cluster/index.ts';
import { signedText } from '../a-seal.ts';
import { aTargetCluster, refusing, textOf } from '../a-target-cluster.ts';
import { boxes, key, times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type ThirdParty } from '../sdk/provider/a-third-party.ts';
import { annotate, names, said } from '../sdk/provider/policed.ts';

const isAsked = ({ spec }: Workspace): boolean => spec.integrations?.boxes !== undefined;

type Resource = ExternalResource<Box, BoxId>;
type Status = NonNullable<Workspace['status']>;

/** Boxes that a workspace asks for, or does not, with each status that it has had. */
async function aScene(identity: Resource['identity'], more: (party: ThirdParty) => Partial<Resource> = () => ({})) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const actor = target.actor([{ ...boxKeeper(party.resource(identity, more(party))), handles: isAsked }], { times });
  const past: Status[] = [];
  target.cluster.intercept(async (request, next) => {
    const answer = await next(request);
    if (isStatusPatch(request)) past.push((await target.read()).status!);
    return answer;
  });
  const settle = async (): Promise<void> => {
    for (let walks = 0; walks < 8; walks += 1) {
      await actor.walk().catch(() => undefined);
      await target.clock.advance(10_000);
    }
  };
  const write = async (path: '/spec' | '/status', value: object): Promise<void> => {
    const options = path === '/status' ? { subresource: 'status' as const } : {};
    const operations = [{ op: 'replace', path, value } as const];
    await target.client.patch(Workspace, key, { type: 'json', operations }, options);
    await settle();
  };
  return {
    target,
    party,
    actor,
    past,
    settle,
    ask: (sizes: Readonly<Record<string, number>> | null) => write('/spec', sizes === null ? {} : boxes(sizes)),
    putBack: (status: Status) => write('/status', status),
  };
}

const isStatusPatch = ({ method, url }: ApiRequest): boolean => method === 'PATCH' && url.includes('/status');

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const sizes of [{ a: 1 }, { a: 2 }])
    test(`a status from before a release, put back, is not trusted about what is gone: ${identity}, ${sizes.a === 1 ? 'the same spec' : 'another spec'}`, async (t) => {
      const { target, party, settle, ask, putBack } = await aScene(identity);
      await target.create(boxes({ a: 1 }));
      await settle();
      const { status } = await target.read();
      await ask(null);
      t.deepEqual([party.boxes.length, (await target.read()).metadata.finalizers ?? []], [0, []]);
      await putBack(status!);
      await ask(sizes);
      t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
      t.deepEqual(names(party), [`a ${sizes.a}`]);
    });

test('the note of an earlier claim, put back after its release, gives no key a second time', async (t) => {
  const keys: string[] = [];
  const { target, past, settle, ask, putBack } = await aScene('key', (party) => ({
    create: async (wanted, context) => {
      keys.push(context.key);
      return party.resource('key').create(wanted, context);
    },
  }));
  await target.create(boxes({ a: 1 }));
  await settle();
  await ask(null);
  const note = past.find(({ guards }) => guards?.Boxes?.phase === 'none');
  t.is(keys.length, 1);
  await putBack(note!);
  await ask({ a: 1 });
  t.is(keys.length, 2);
  t.is(new Set(keys).size, 2);
});

for (const verb of ['retry', 'adopt'] as const)
  test(`what was recorded before a release, put back, is looked at though a person has answered: ${verb}`, async (t) => {
    const { target, party, past, settle, ask, putBack } = await aScene('opaque');
    await target.create(boxes({ a: 1, b: 1 }));
    await settle();
    await ask(null);
    const halfway = past.find(({ guards }) => guards?.Boxes?.phase === 'intent' && guards.Boxes.refs?.length === 1);
    await putBack(halfway!);
    await ask({ a: 1, b: 1 });
    t.regex(await said(target), /^Unknown: /);
    const { token } = (await target.read()).status!.guards!.Boxes!;
    if (verb === 'adopt') party.boxes.push({ id: 'box-b', name: 'b', size: 1, mark: '', key: '' });
    const answer = verb === 'retry' ? `retry@${token}` : `adopt@${token}=box-b`;
    await annotate(target, { [resolveAnnotation('Boxes')]: signedText(await target.read(), 'Boxes', answer) });
    await settle();
    t.regex(await said(target), /^Completed: 2 × box/);
    t.deepEqual([...names(party)].sort(), ['a 1', 'b 1']);
  });

test('what was recorded before a release, put back once more, is asked about again, and nothing is made before the answer', async (t) => {
  const { target, party, past, settle, ask, putBack } = await aScene('opaque');
  await target.create(boxes({ a: 1, b: 1 }));
  await settle();
  await ask(null);
  const halfway = past.find(({ guards }) => guards?.Boxes?.phase === 'intent' && guards.Boxes.refs?.length === 1);
  await putBack(halfway!);
  await ask({ a: 1, b: 1 });
  t.regex(await said(target), /^Unknown: /);
  await putBack(halfway!);
  await settle();
  t.regex(await said(target), /^Unknown: /);
  t.deepEqual(names(party), []);
});

test('a policy that refuses to doubt what was put back is reported, and nothing is claimed or made before it lets go', async (t) => {
  const { target, party, actor, settle, ask, putBack } = await aScene('tag');
  await target.create(boxes({ a: 1 }));
  await settle();
  const { status } = await target.read();
  await ask(null);
  await putBack(status!);
  const refusal = { code: 422, reason: 'Invalid', message: 'no journals on Mondays' };
  const policy = refusing(
    target,
    (request) => isStatusPatch(request) && textOf(request).includes('"lost":true'),
    refusal,
  );
  const requests = () => policy.count;
  await ask({ a: 1 });
  t.true(requests() > 0);
  t.deepEqual([party.boxes.length, (await target.read()).metadata.finalizers ?? []], [0, []]);
  t.true(
    actor.events.some(({ message }) => message.includes('no journals on Mondays')),
    JSON.stringify(actor.events),
  );
  policy.over = true;
  await settle();
  t.is(await said(target), 'Completed: box a is there');
  t.deepEqual(names(party), ['a 1']);
});

test('an entry whose claim no integration can have is not kept for ever, and holds up neither a change nor the end', async (t) => {
  const { target, party, settle, ask, putBack } = await aScene('tag');
  await target.create(boxes({ a: 1 }));
  await settle();
  const { status } = await target.read();
  await putBack({ ...status, guards: { Boxes: { ...status!.guards!.Boxes!, claim: 'boxes' } } });
  await ask({ a: 2 });
  t.deepEqual([party.boxes.map(({ size }) => size), await said(target)], [[2], 'Completed: box a is there']);
  await target.delete();
  await settle();
  t.is(party.boxes.length, 0);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});
