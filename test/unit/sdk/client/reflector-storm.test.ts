import test from 'ava';
import fc from 'fast-check';
import type { KubeObject } from '../../../../sdk/api/object.ts';
import { aConfigMap, reflected } from './reflected.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('apply' as const), name, value: fc.nat(1000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'tear' as const, 'mute' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'break' as const, 'fix' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 50, 500, 7000) }) },
);

const identityOf = ({ metadata: { name: one, uid, resourceVersion } }: KubeObject) =>
  `${one} ${uid}@${resourceVersion}`;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Returns the function that takes a step, and the one that repairs what a step has broken. */
function steppingOn({ cluster, clock, wires, remove }: Awaited<ReturnType<typeof reflected>>) {
  let fix = () => undefined as unknown;
  const take = (one: Step): unknown => {
    switch (one.do) {
      case 'apply':
        return cluster.apply(aConfigMap(one.name, { value: String(one.value) }));
      case 'remove':
        return remove(one.name);
      case 'end':
        return wires.end();
      case 'tear':
        return wires.end('{"type":"ADDED","obj');
      case 'mute':
        return wires.mute();
      case 'compact':
        return cluster.compact();
      case 'fix':
        return fix();
      case 'break':
        fix();
        fix = cluster.intercept(async (request, next) =>
          request.method === 'GET' ? { status: 503, headers: {}, body: 'broken by the test' } : next(request),
        );
        return undefined;
      case 'pass':
        return clock.advance(one.ms);
    }
  };
  return { take, fix: () => fix() };
}

for (const streaming of [true, false])
  test(`whatever breaks on the way, the store ends up like the server (${streaming ? 'streaming' : 'paged'} lists)`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const world = await reflected({ streaming });
        const { cluster, clock } = world;
        const { take, fix } = steppingOn(world);
        for (const one of steps) {
          const taken = take(one);
          if (taken instanceof Promise) await taken;
        }
        fix();
        await clock.advance(300_000);
        const truth = cluster
          .list({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default')
          .map((object) => identityOf(object as KubeObject));
        t.deepEqual(world.store.list().map(identityOf).sort(), truth.sort());
        const mirror = new Set<string>();
        for (const told of world.told) {
          const [type, one = ''] = told.split(' ');
          t.is(mirror.has(one), type !== 'added', `${told} is no news`);
          if (type === 'deleted') mirror.delete(one);
          else mirror.add(one);
        }
        t.deepEqual([...mirror].sort(), world.names());
        t.is(world.reflector.health().failures, 0);
        world.stop.abort();
        await world.ended;
      }),
      { numRuns: 25 },
    );
  });
