import test from 'ava';
import { conditionOf, defineIntegration, type ProviderController, type Result } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, times } from '../a-keeper.ts';
import { aThirdParty } from '../a-third-party.ts';

async function reconciled(
  reconcile: (controller: ProviderController, party: ReturnType<typeof aThirdParty>) => Promise<Result>,
) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  await stage.create(boxes({ a: 1 }));
  const integration = defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, party),
      terminate: () => controller.destroy(party.resource('tag')),
    }),
  });
  await stage
    .actor([integration], { times })
    .walk()
    .catch(() => undefined);
  const { status, reason } = conditionOf(await stage.read(), 'Boxes');
  return { said: `${status}: ${reason}`, calls: party.calls };
}

const a = { name: 'a', size: 1 };
const b = { name: 'b', size: 1 };

test('a second ensure of another resource is refused before anything is removed', async (t) => {
  const { said, calls } = await reconciled(async (controller, party) => {
    await controller.ensure(party.resource('tag'), [a]);
    return controller.ensure({ ...party.resource('tag'), label: 'crate' }, [b]);
  });
  t.deepEqual(calls, ['create a']);
  t.regex(said, /^Error: .*ensure was called for "box", then for "crate".*give each resource an integration/);
});

test('a second ensure that lacks what the first one wanted is refused', async (t) => {
  const { said, calls } = await reconciled(async (controller, party) => {
    await controller.ensure(party.resource('tag'), [a]);
    return controller.ensure(party.resource('tag'), [b]);
  });
  t.deepEqual(calls, ['create a']);
  t.regex(said, /^Error: .*the second call does not want box a: pass all that is wanted/);
});

test('a second ensure that wants more continues', async (t) => {
  const { said, calls } = await reconciled(async (controller, party) => {
    await controller.ensure(party.resource('tag'), a);
    return controller.ensure(party.resource('tag'), [a, b]);
  });
  t.deepEqual(calls, ['create a', 'create b']);
  t.regex(said, /^Completed/);
});
