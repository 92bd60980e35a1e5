import test, { type ExecutionContext } from 'ava';
import { conditionOf, DefiniteError, defineIntegration, externalResource } from '../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../a-target-cluster.ts';
import { passing } from '../sdk/provider/guarding.ts';

const tenMinutes = 600_000;

/** An integration whose third party fails the first calls of `create` and `delete` by throwing what `thrown` returns. */
function failing(thrown: () => unknown, times: number) {
  let [creations, deletions] = [0, 0];
  const box = externalResource<object, { readonly id: string }>({
    label: 'box',
    identity: 'name',
    find: async () => (creations > times && deletions <= times ? { id: 'a&b' } : undefined),
    async create() {
      creations += 1;
      if (creations <= times) throw thrown();
      return { id: { id: 'a&b' } };
    },
    update: async () => {},
    async delete() {
      deletions += 1;
      if (deletions <= times) throw thrown();
    },
  });
  return defineIntegration({
    name: 'box',
    condition: 'Box',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.ensure(box, { size: 1 }),
      terminate: () => controller.destroy(box),
    }),
  });
}

async function walked(target: TargetCluster, actor: ReturnType<TargetCluster['actor']>): Promise<unknown> {
  const came = await passing(target, actor.walk(), tenMinutes).catch((error: unknown) => error);
  await target.clock.advance(60_000);
  return came;
}

/** Walks a workspace through failures to Completed and to its end; returns the reason of the first failure. */
async function reasonAfter(t: ExecutionContext, thrown: () => unknown): Promise<string> {
  const target = await aTargetCluster();
  await target.create();
  const actor = target.actor([failing(thrown, 2)]);
  await walked(target, actor);
  const { reason } = conditionOf(await target.read(), 'Box');
  for (let walks = 0; walks < 4; walks += 1) await walked(target, actor);
  t.like(conditionOf(await target.read(), 'Box'), { status: 'Completed' });
  await target.delete();
  for (let walks = 0; walks < 5; walks += 1) await walked(target, actor);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' }, 'nothing keeps the workspace');
  return reason;
}

for (const text of ['GET https://acme.test/?a=1&b=2: <html>', 'lines \u2028 and \u2029', 'half of 😀: \ud83d'])
  test(`whatever a refusal says, its condition and its end are not held up: ${JSON.stringify(text)}`, async (t) => {
    t.is(await reasonAfter(t, () => new DefiniteError(text)), text.toWellFormed());
  });

test('a reason is cut before a character that does not fit', async (t) => {
  const reason = await reasonAfter(t, () => new DefiniteError(`${'x'.repeat(1023)}😀`));
  t.is(reason, `${'x'.repeat(1023)}…`);
});

const unreadable = (what: 'message' | 'toString') =>
  Object.defineProperty(new Error('x'), what, {
    get() {
      throw new Error('no');
    },
  });
const odd: readonly (readonly [title: string, thrown: () => unknown, reason: RegExp])[] = [
  [
    'an error whose message is the body of an answer',
    () => Object.assign(new DefiniteError(), { message: { error: 'quota', token: 'hunter22' } }),
    /^DefiniteError: its message is an object with error, token$/,
  ],
  ['an error without a message', () => Object.assign(new DefiniteError(), { message: undefined }), /^DefiniteError$/],
  ['an error with an empty message', () => new DefiniteError(''), /^DefiniteError$/],
  ['an error whose message throws', () => unreadable('message'), /an error that cannot be read$/],
  ['an object without a prototype', () => Object.assign(Object.create(null), { code: 'E1' }), /an object with code$/],
  ['a plain object', () => ({ code: 'E1' }), /an object with code$/],
  [
    'an object whose toString throws',
    () => ({ toString: () => unreadable('message').message }),
    /an object with toString$/,
  ],
  ['a symbol', () => Symbol('lost'), /Symbol\(lost\)$/],
  ['nothing', () => undefined, /undefined$/],
  [
    'an error of errors without a message of its own',
    () => new AggregateError([new Error('refused at ::1'), new Error('refused at 127.0.0.1')]),
    /refused at ::1; refused at 127\.0\.0\.1$/,
  ],
];
for (const [title, thrown, reason] of odd)
  test(`${title} may be thrown: it is reported, and nothing is held up`, async (t) => {
    t.regex(await reasonAfter(t, thrown), reason);
  });
