import test from 'ava';
import { ConfigMap, Namespace } from '../../../../../sdk/api/kinds.ts';
import { GiveUpError, RetryError, StaleError } from '../../../../../sdk/errors.ts';
import { createInformerController } from '../../../../../sdk/operator/controller/controller.ts';
import type { EngineController } from '../../../../../sdk/operator/engine/engine.ts';
import type { WorkOptions } from '../../../../../sdk/operator/engine/work-options.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { createWatchController } from '../../../../../sdk/operator/watch-controller/watch-controller.ts';
import type { Reconciler, Result } from '../../../../../sdk/reconcile/reconciler.ts';
import { theWidgets, Widget, type Widgets } from '../a-widget.ts';
import { until } from '../controlled.ts';

/** Options of a controller of widgets. */
type Chosen = Partial<WorkOptions> & { readonly reconciler: Reconciler<Widget> };

/** Both engines, each with one reconciler of the widgets in the namespace of a test. */
const engines: Readonly<Record<string, (server: Widgets, options: Chosen) => EngineController>> = {
  'informer controller': ({ client, clock, namespace }, options) =>
    createInformerController({ client, clock, random: () => 0, kind: Widget, selection: { namespace }, ...options }),
  'watch controller': ({ client, clock, namespace }, { reconciler, ...options }) => {
    const controller = createWatchController({ client, clock, random: () => 0, ...options });
    controller.addInformer(informer(Widget, { selection: { namespace } }), 'widget');
    controller.addReconciler(reconciler, 'widget');
    return controller;
  },
};

/** A logger that records its messages. */
function logging() {
  const said: unknown[] = [];
  const say = (level: string) => (about: { readonly err?: Error }, text: string) =>
    void (about.err && said.push([level, text, about.err.message]));
  const levels = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, say(level)]));
  const logger = { ...levels, child: () => logger } as never;
  return { said, logger };
}

for (const [name, create] of Object.entries(engines)) {
  const started = async (server: Widgets, options: Chosen) => {
    const controller = create(server, options);
    const stop = new AbortController();
    const ended = controller.run(stop.signal);
    ended.catch(() => undefined);
    return { controller, stop, ended };
  };

  test(`${name}: a state goes to the run that is asked for with it, or to a retry, and a success begins to count anew`, async (t) => {
    const server = await theWidgets();
    const ends: readonly (Result | Error)[] = [
      new Error('no'),
      new RetryError('no', { state: { n: 1 } }),
      { requeueAfter: 10, state: { n: 2 } },
      new Error('no'),
      { requeueAfter: 10 },
      { state: { n: 3 } },
    ];
    const seen: unknown[] = [];
    await started(server, {
      retry: (_error, attempt) => 100 * (attempt + 1),
      reconciler: async ({ attempt, state, cause }) => {
        const end = ends[seen.length] ?? {};
        seen.push([cause, attempt, state?.n]);
        if (end instanceof Error) throw end;
        return end;
      },
    });
    await server.create('a');
    await server.clock.advance(5000);
    t.deepEqual(seen, [
      ['created', 0, undefined],
      ['retry', 1, undefined],
      ['retry', 2, 1],
      ['requeue', 0, 2],
      ['retry', 1, 2],
      ['requeue', 0, 2],
    ]);
    await server.resize('a', 2);
    await server.clock.advance(0);
    t.deepEqual(seen.slice(6), [['updated', 0, undefined]]);
  });

  test(`${name}: the end of an object is reported before anything of the next one of its name`, async (t) => {
    const server = await theWidgets();
    await server.create('a');
    const gate = Promise.withResolvers<void>();
    const told: unknown[] = [];
    const first = await server.client.get(Widget, server.key('a'));
    await started(server, {
      reconciler: async ({ event, object }) => {
        told.push([event?.action, event?.object.metadata.uid === first.metadata.uid, object === undefined]);
        if (told.length === 1) await gate.promise;
        return {};
      },
    });
    await until(server.clock, () => told.length === 1);
    await server.remove('a');
    await server.create('a');
    await server.clock.advance(0);
    gate.resolve();
    await server.clock.advance(1000);
    t.deepEqual(told, [
      ['created', true, false],
      ['deleted', true, true],
      ['created', false, false],
    ]);
  });

  test(`${name}: the logger is told of every failure alike, and of a race at debug`, async (t) => {
    const server = await theWidgets();
    const { said, logger } = logging();
    const ends = [new Error('no'), new StaleError('changed'), new GiveUpError('never')];
    await started(server, {
      retry: () => 100,
      logger,
      reconciler: async () => {
        throw ends.shift();
      },
    });
    await server.create('a');
    await server.clock.advance(1000);
    t.deepEqual(said, [
      ['warn', 'reconciler failed', 'no'],
      ['debug', 'reconciler found its object changed', 'changed'],
      ['error', 'reconciler failed, giving up', 'never'],
    ]);
  });

  test(`${name}: a policy that throws is logged, and the default decides`, async (t) => {
    const server = await theWidgets();
    const { said, logger } = logging();
    let runs = 0;
    const { controller } = await started(server, {
      logger,
      retry: () => {
        throw new Error('a bug');
      },
      errorHandler: () => undefined,
      reconciler: async () => {
        runs += 1;
        if (runs === 1) throw new Error('no');
        return {};
      },
    });
    await server.create('a');
    await server.clock.advance(10_000);
    t.is(runs, 2);
    t.deepEqual(said, [['error', 'a policy failed, using the default', 'a bug']]);
    t.like(controller.health(), { failures: 1, failing: 0 });
  });

  test(`${name}: every object is reported again after each resync interval`, async (t) => {
    const server = await theWidgets();
    const causes: string[] = [];
    await server.create('a');
    await started(server, {
      resyncInterval: 1000,
      reconciler: async ({ cause }) => {
        causes.push(cause);
        return {};
      },
    });
    await until(server.clock, () => causes.length === 1);
    await server.clock.advance(2000);
    t.deepEqual(causes, ['created', 'resync', 'resync']);
  });

  test(`${name}: synced resolves when all is listed, and rejects when it is stopped before`, async (t) => {
    const server = await theWidgets();
    await server.create('a');
    const { controller } = await started(server, { reconciler: async () => ({}) });
    const synced = controller.synced.then(() => true);
    await until(server.clock, () => controller.health().synced);
    t.true(await synced);
    t.is(controller.storeOf(Widget).get(server.key('a'))?.spec.size, 1);
    t.throws(() => controller.storeOf(ConfigMap), { instanceOf: TypeError, message: /does not watch configmaps: / });

    const early = create(server, { reconciler: async () => ({}) });
    const stop = new AbortController();
    const never = early.synced;
    stop.abort(new Error('enough'));
    await early.run(stop.signal);
    await t.throwsAsync(never);
  });

  test(`${name}: tenants take turns, by a function of the object`, async (t) => {
    const server = await theWidgets();
    for (const [widget, team] of [...'abcd'].map((one) => [one, one === 'd' ? 'small' : 'crowd']))
      await server.create(widget!, { labels: { team } });
    const seen: string[] = [];
    await started(server, {
      workers: 1,
      tenantBy: ({ metadata }) => metadata.labels?.team ?? '',
      reconciler: async ({ key }) => {
        seen.push(key.name);
        return {};
      },
    });
    await until(server.clock, () => seen.length === 4);
    t.true(seen.indexOf('d') <= 2, seen.join());
    t.throws(() => create(server, { reconciler: async () => ({}), tenantBy: 'team' as never }), {
      instanceOf: TypeError,
      message: /tenantBy must be 'namespace' or a function of the object, found "team"/,
    });
  });

  test(`${name}: runs once, and refuses options that make no sense`, async (t) => {
    const server = await theWidgets();
    const reconciler = async () => ({});
    const { controller, stop, ended } = await started(server, { reconciler });
    stop.abort();
    await ended;
    await t.throwsAsync(controller.run(stop.signal), {
      message: `controller ${controller.name} was started before: create another one`,
    });
    for (const option of ['resyncInterval', 'idleTimeout'])
      t.throws(() => create(server, { reconciler, [option]: 0 }), {
        instanceOf: TypeError,
        message: new RegExp(`${option} must be more than 0 ms, found 0`),
      });
  });
}

test('both refuse a selection that no server would understand', async (t) => {
  const { client } = await theWidgets();
  const reconciler = async () => ({});
  const selections: readonly (readonly [object, RegExp])[] = [
    [{ namespace: 'n' }, /namespaces.*the kind is not namespaced, leave the namespace \(n\) out/],
    [{ label: 'a=b' }, /selection\.label is not an option; known are namespace, labels, fields/],
  ];
  for (const [selection, message] of selections) {
    t.throws(() => informer(Namespace, { selection }), { instanceOf: TypeError, message });
    t.throws(() => createInformerController({ client, kind: Namespace, reconciler, selection }), { message });
  }
});
