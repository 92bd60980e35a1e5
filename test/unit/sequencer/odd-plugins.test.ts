import test from 'ava';
import {
  conditionOf,
  DefiniteError,
  defineIntegration,
  externalResource,
  type Integration,
} from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { passing } from '../sdk/provider/guarding.ts';

const trap = (): never => {
  throw new Error('trap');
};
const hostile = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap });
/** The same, but for `await`, which reads `then` of everything. */
const awaited = new Proxy(
  {},
  { get: (_, name) => (name === 'then' ? undefined : trap()), ownKeys: trap, getPrototypeOf: trap },
);

/** Functions of an integration, and of its resource. */
const members = ['handles', 'references', 'reads', 'validate', 'connect', 'reconcile', 'nameOf', 'create', 'secretOf'];

interface Oddness {
  readonly member: string;
  readonly odd: () => unknown;
}

/** An integration with one box, one of whose functions is odd until `isOdd` is false. */
function anIntegration({ member, odd }: Oddness) {
  const state = { isOdd: true };
  const boxes = new Map<string, string>();
  const usual =
    <Args extends readonly unknown[], T>(name: string, work: (...args: Args) => T) =>
    (...args: Args): T =>
      name === member && state.isOdd ? (odd() as T) : work(...args);
  const box = externalResource<{ readonly name: string }, { readonly id: string }>({
    label: 'box',
    identity: 'tag',
    nameOf: usual('nameOf', ({ name }) => name),
    find: async ({ mark }) => (boxes.has(mark) ? { id: mark } : undefined),
    create: usual('create', async (_, { owner: { mark } }) => {
      boxes.set(mark, mark);
      return { id: { id: mark } };
    }),
    secretOf: usual('secretOf', async () => ({ password: 'hunter22' })),
    delete: usual('delete', async ({ id }) => void boxes.delete(id)),
  });
  const integration = defineIntegration({
    name: 'odd',
    condition: 'Odd',
    handles: usual('handles', () => true),
    references: usual('references', () => []),
    reads: usual('reads', () => ({})),
    validate: usual('validate', () => []),
    connect: usual('connect', ({ controller }) => ({
      reconcile: usual('reconcile', () => controller.ensure(box, { name: 'a' })),
      terminate: usual('terminate', () => controller.destroy(box)),
    })),
  });
  return { integration, boxes, state };
}

const other: Integration = defineIntegration({
  name: 'mail',
  condition: 'Mail',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'said'),
    terminate: () => controller.updateCondition('Terminated', 'unsaid'),
  }),
});

async function aScene(oddness: Oddness) {
  const stage = await aTargetCluster();
  await stage.create();
  const { integration, boxes, state } = anIntegration(oddness);
  const actor = stage.actor([integration, other], { times: { lease: 10_000, maxRequest: 2_000 } });
  const walk = async () => {
    await passing(stage, actor.walk(), 300_000).catch(() => undefined);
    await stage.clock.advance(15_000);
  };
  const said = async (type = 'Odd') => {
    const { status, reason } = conditionOf(await stage.read(), type);
    return `${status}: ${reason}`;
  };
  return { stage, boxes, state, walk, said };
}

for (const member of members) {
  const oddities: readonly (readonly [title: string, odd: () => unknown, found: RegExp])[] = [
    [
      'throws what cannot be read',
      () => {
        throw hostile;
      },
      /an error that cannot be read$/,
    ],
    [
      'throws undefined',
      () => {
        throw undefined;
      },
      /threw undefined$/,
    ],
    ['returns what cannot be read', () => awaited, /./],
  ];
  for (const [title, odd, found] of oddities)
    test(`${member} that ${title} is named in its condition, costs no other, and heals`, async (t) => {
      const { stage, boxes, state, walk, said } = await aScene({ member, odd });
      await walk();
      t.regex(await said(), new RegExp(`^(?:Error|Locked): .*${member}`));
      t.regex(await said(), found);
      t.is(await said('Mail'), 'Completed: said');
      state.isOdd = false;
      for (let walks = 0; walks < 3; walks += 1) await walk();
      t.regex(await said(), /^Completed: /);
      t.is(boxes.size, 1);
      await stage.delete();
      for (let walks = 0; walks < 2; walks += 1) await walk();
      await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
      t.is(boxes.size, 0);
    });
}

for (const member of ['terminate', 'delete'])
  for (const [title, odd, found] of [
    [
      'throws what cannot be read',
      () => {
        throw hostile;
      },
      /threw an error that cannot be read/,
    ],
    [
      'refuses',
      () => {
        throw new DefiniteError('in use');
      },
      /^Error: in use; annotate policy\.se\.quencer\.io\/Odd=orphan /,
    ],
  ] as const)
    test(`${member} that ${title} says so, holds no other condition back, and is not an end`, async (t) => {
      const { stage, boxes, state, walk, said } = await aScene({ member, odd });
      state.isOdd = false;
      for (let walks = 0; walks < 3; walks += 1) await walk();
      state.isOdd = true;
      await stage.delete();
      await walk();
      t.regex(await said(), found);
      t.is(await said('Mail'), 'Terminated: unsaid');
      state.isOdd = false;
      for (let walks = 0; walks < 3; walks += 1) await walk();
      await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
      t.is(boxes.size, 0);
    });

test('terminate that fails by a mistake of its own says how to let the workspace go', async (t) => {
  const { stage, state, walk, said } = await aScene({
    member: 'terminate',
    odd: () => {
      throw new TypeError('x is undefined');
    },
  });
  state.isOdd = false;
  for (let walks = 0; walks < 3; walks += 1) await walk();
  state.isOdd = true;
  await stage.delete();
  await walk();
  t.regex(
    await said(),
    /^Error: x is undefined; annotate policy\.se\.quencer\.io\/Odd=orphan to leave what is outside/,
  );
});
