import test from 'ava';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, theServer } from '../controlled.ts';

test('a result that makes no sense counts as a failure', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const { controller, runs } = controlled(server, async () => ({ requeueAfter: Number.NaN }), {
    retry: () => undefined,
  });
  await server.clock.advance(60_000);
  t.is(runs.length, 1);
  t.like(controller.health(), { failures: 1, givenUp: 1 });
});

test('aborts the signal of a run that takes too long', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const reasons: unknown[] = [];
  controlled(
    server,
    async ({ signal }) => {
      await server.clock.sleep(1_000_000, signal).catch((reason) => reasons.push(reason.message));
      return done;
    },
    { deadline: 30_000 },
  );
  await server.clock.advance(30_000);
  t.deepEqual(reasons, ['the run took longer than 30000 ms']);
});
