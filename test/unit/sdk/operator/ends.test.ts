import test from 'ava';
import { ConfigMap, Secret } from '../../../../sdk/api/kinds.ts';
import { GiveUpError } from '../../../../sdk/errors.ts';
import { watched } from '../../../../sdk/operator/engine/source.ts';
import { done, requeueAfter } from '../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, theServer } from './controlled.ts';

test('what is made again under a name runs after the end of what had it before went well, or was given up', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { x: 'old' }));
  const gate = Promise.withResolvers<void>();
  const told: string[] = [];
  let failures = 2;
  const { controller } = controlled(
    server,
    async ({ event, cause, attempt }) => {
      told.push(`${cause} ${attempt}: ${event?.action} ${event?.object.data?.x}`);
      if (told.length === 1) await gate.promise;
      if (event?.action !== 'deleted') return done;
      failures -= 1;
      if (failures >= 0) throw new Error('still in use');
      return done;
    },
    { retry: () => 1000 },
  );
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.apply(aConfigMap('a', { x: 'new' }));
  await server.clock.advance(0);
  gate.resolve();
  await server.clock.advance(10_000);
  t.deepEqual(told, [
    'created 0: created old',
    'deleted 0: deleted old',
    'retry 1: deleted old',
    'retry 2: deleted old',
    'created 0: created new',
  ]);
  t.like(controller.health(), { failing: 0, queue: { ready: 0, delayed: 0 } });
});

test('an end that is given up does not hold up what comes after it', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { x: 'old' }));
  const gate = Promise.withResolvers<void>();
  const told: string[] = [];
  controlled(server, async ({ event, attempt }) => {
    told.push(`${event?.action} ${event?.object.data?.x} ${attempt}`);
    if (told.length === 1) await gate.promise;
    if (event?.action === 'deleted') throw new GiveUpError('never');
    return done;
  });
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.apply(aConfigMap('a', { x: 'new' }));
  await server.clock.advance(0);
  gate.resolve();
  await server.clock.advance(10_000);
  t.deepEqual(told, ['created old 0', 'deleted old 0', 'created new 0']);
});

test('what a dependent asks for does not lose the end of an object that is tried again', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { x: 'old' }));
  const told: string[] = [];
  const map = () => [server.key('a')];
  const { log } = controlled(
    server,
    async ({ event, object }) => {
      told.push(`${event?.action} ${event?.object.data?.x}`);
      if (object === undefined && told.length === 2) throw new Error('still in use');
      return object === undefined && told.length === 3 ? requeueAfter(1000) : done;
    },
    { retry: () => 1000, watches: [watched({ kind: Secret, map, selection: { namespace: server.namespace } })] },
  );
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.clock.advance(100);
  await server.apply({ kind: 'Secret', metadata: { name: 's' } });
  await server.clock.advance(10_000);
  t.deepEqual(told, ['created old', 'deleted old', 'deleted old', 'deleted old']);
  t.deepEqual(log(), ['created a', 'deleted a', 'retry a', 'requeue a']);
});
