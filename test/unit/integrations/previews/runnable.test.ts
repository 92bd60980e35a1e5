import test, { type ExecutionContext } from 'ava';
import { shaOf } from '../fixtures/a-code-host.ts';
import { aPreviewWorld } from './a-preview-world.ts';

async function running(t: ExecutionContext, more: Parameters<typeof aPreviewWorld>[0] = {}) {
  const world = await aPreviewWorld({ interval: 100_000, ...more });
  const stop = new AbortController();
  const ended = world
    .runnable()
    .run(stop.signal)
    .catch((error: unknown) => error);
  t.teardown(async () => {
    stop.abort();
    await ended;
  });
  return { ...world, stop, ended };
}

test('pull requests are looked at when it starts, and within each interval', async (t) => {
  const { shop, names, clock } = await running(t);
  shop.open(1);
  await clock.advance(0);
  t.deepEqual(await names(), ['shop-1']);
  shop.open(2);
  await clock.advance(100_000);
  t.deepEqual(await names(), ['shop-1', 'shop-2']);
  shop.change(1, { state: 'closed' });
  await clock.advance(100_000);
  t.deepEqual(await names(), ['shop-2']);
});

test('a rate limit is waited out, then the look is made good', async (t) => {
  const { shop, names, clock, github, logged } = await aPreviewWorld({ interval: 10_000 }).then(async (world) => {
    const reset = `${world.clock.now() / 1000 + 600}`;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    world.github.faults.push(Response.json({ message: 'API rate limit exceeded' }, { status: 403, headers }));
    const stop = new AbortController();
    const ended = world
      .runnable()
      .run(stop.signal)
      .catch(() => undefined);
    t.teardown(async () => {
      stop.abort();
      await ended;
    });
    return world;
  });
  shop.open(1, { sha: shaOf('one') });
  await clock.advance(590_000);
  t.deepEqual([github.count.requests, await names()], [1, []]);
  t.true(logged.some((line) => line.includes('API rate limit exceeded')));
  await clock.advance(40_000);
  t.deepEqual(await names(), ['shop-1']);
});

test('it ends with its signal, and asks for no more rights than it uses', async (t) => {
  const { stop, ended, clock } = await running(t);
  await clock.advance(0);
  stop.abort();
  t.is(await ended, undefined);
});
