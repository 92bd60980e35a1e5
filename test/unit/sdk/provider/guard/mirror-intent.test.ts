import test from 'ava';
import type { GuardOptions } from '../../../../../sdk/index.ts';
import { isIntentMirrored } from '../../../../../sdk/provider/guard/mirror-intent.ts';
import type { Mirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import type { Session } from '../../../../../sdk/provider/journal/session.ts';
import { aTargetCluster, refusing, textOf } from '../../../a-target-cluster.ts';
import { created, guarding, isMirror, stateOf } from '../guarding.ts';

const policy = { code: 403, reason: 'Forbidden', message: 'no annotations here' };
const besides = (kind: Mirror['kind']) => ({ mirror: { kind } }) as Session;
const ops = ['create', 'task', 'update', 'delete'] as const;

test('an intent is mirrored that may make something, or whose result no search finds', (t) => {
  const mirrored = (kind: Mirror['kind'], isFindable: boolean) =>
    ops.filter((op) => isIntentMirrored(besides(kind), op, isFindable));
  t.deepEqual(mirrored('own', true), ['create', 'task']);
  for (const kind of ['own', 'predecessor', 'none'] as const) t.deepEqual(mirrored(kind, false), [...ops], kind);
});

test('an update is mirrored while no mirror names the workspace', (t) => {
  for (const kind of ['predecessor', 'none'] as const)
    t.deepEqual(
      ops.filter((op) => isIntentMirrored(besides(kind), op, true)),
      ['create', 'task', 'update'],
      kind,
    );
});

for (const [identity, isSent] of [
  ['name', true],
  ['opaque', false],
] as const)
  test(`beside the mirror of an earlier attempt that a policy keeps, ${identity} ${isSent ? 'goes on' : 'sends nothing'}`, async (t) => {
    const stage = await aTargetCluster();
    const options: GuardOptions = { identity };
    const sent: string[] = [];
    await stage.create();
    const actor = stage.actor([guarding({ task: async () => ({ ...(await created()), refs: [] }), options })]);
    await actor.walk();
    refusing(stage, (request) => isMirror(request) && textOf(request).includes('open'), policy);
    const next = stage.actor([
      guarding({
        task: () => {
          sent.push('made');
          return created();
        },
        options,
      }),
    ]);
    const walked = next.walk();
    await (isSent
      ? t.notThrowsAsync(walked)
      : t.throwsAsync(walked, { message: /could not be mirrored: .*no annotations here/ }));
    t.is(sent.length, isSent ? 1 : 0);
    t.is((await stateOf(stage)).entry?.op, 'task');
  });
