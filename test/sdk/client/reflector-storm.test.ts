import test from 'ava';
import fc from 'fast-check';
import type { KubeObject } from '../../../sdk/api/object.ts';
import { aConfigMap, reflected } from './reflected.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('apply' as const), name, value: fc.nat(1000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'tear' as const, 'mute' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'break' as const, 'mend' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 50, 500, 7000) }) },
);

const identityOf = ({ metadata: { name: one, uid, resourceVersion } }: KubeObject) =>
  `${one} ${uid}@${resourceVersion}`;

for (const streaming of [true, false])
  test(`whatever breaks on the way, the store ends up like the server (${streaming ? 'streaming' : 'paged'} lists)`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const world = await reflected({ streaming });
        const { cluster, clock, wires } = world;
        let mend = () => undefined as unknown;
        for (const one of steps) {
          if (one.do === 'apply') await cluster.apply(aConfigMap(one.name, { value: String(one.value) }));
          else if (one.do === 'remove') await world.remove(one.name);
          else if (one.do === 'end') wires.end();
          else if (one.do === 'tear') wires.end('{"type":"ADDED","obj');
          else if (one.do === 'mute') wires.mute();
          else if (one.do === 'compact') cluster.compact();
          else if (one.do === 'mend') mend();
          else if (one.do === 'break') {
            mend();
            mend = cluster.intercept(async (request, next) =>
              request.method === 'GET' ? { status: 503, headers: {}, body: 'broken by the test' } : next(request),
            );
          } else if ('ms' in one) await clock.advance(one.ms);
        }
        mend();
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
