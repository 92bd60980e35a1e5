import test from 'ava';
import { GiveUpError, StaleError } from '../../../../../sdk/errors.ts';
import {
  type ControllerFailure,
  loggingHandler,
  withErrorLogged,
} from '../../../../../sdk/operator/engine/error-handler.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, theServer } from '../controlled.ts';

const failure = {
  type: 'watcher',
  resourceKind: 'foo',
  key: { name: 'a' },
  action: 'created',
  attempt: 0,
  retryAfter: 5,
} as const;

/** A logger that records its messages. */
function logging() {
  const said: unknown[] = [];
  const say = (level: string) => (_about: object, text: string) => void said.push([level, text]);
  const levels = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, say(level)]));
  const logger = { ...levels, child: () => logger } as never;
  return { said, logger };
}

test('the logger is told of failures, of the last as an error; informers tell their own', (t) => {
  const { said, logger } = logging();
  const handler = loggingHandler(logger);
  handler(new Error('no'), failure);
  handler(new Error('no'), { ...failure, retryAfter: undefined });
  handler(new Error('no'), { type: 'informer', resourceKind: 'foo', resource: 'configmaps' });
  t.deepEqual(said, [
    ['warn', 'watcher failed'],
    ['error', 'watcher failed, giving up'],
  ]);
});

test('races are reported at debug, and at warn where they do not end', (t) => {
  const { said, logger } = logging();
  for (let attempt = 0; attempt <= 20; attempt += 1)
    loggingHandler(logger)(new StaleError('changed'), { ...failure, type: 'reconciler', attempt });
  t.deepEqual(said.slice(0, -1), Array(20).fill(['debug', 'reconciler found its object changed']));
  t.deepEqual(said.at(-1), ['warn', 'reconciler found its object changed']);
});

test('a handler that throws is told of, and stops nothing', (t) => {
  const { said, logger } = logging();
  const broken = () => {
    throw new Error('a bug');
  };
  t.notThrows(() => withErrorLogged(broken, logger)(new Error('no'), failure));
  t.deepEqual(said, [['error', 'the error handler failed']]);
});

test('GRAF-c6: the handler of an informer controller hears of every failure, in the words of a watch controller', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const failures: (ControllerFailure & { readonly message: string })[] = [];
  const { logger, said } = logging();
  let calls = 0;
  controlled(
    server,
    async ({ object }) => {
      calls += 1;
      if (calls === 1) throw new Error('no');
      if (calls === 2) throw new GiveUpError('never');
      if (object === undefined) throw new GiveUpError('too late');
      return done;
    },
    {
      retry: () => 1000,
      errorHandler: (error, about) => void failures.push({ ...about, message: (error as Error).message }),
      logger,
    },
  );
  await server.clock.advance(2000);
  const about = { type: 'reconciler', resourceKind: 'configmaps', key: server.key('a') } as const;
  const expected = [
    { ...about, action: 'created', attempt: 0, retryAfter: 1000, message: 'no' },
    { ...about, action: 'created', attempt: 1, retryAfter: undefined, message: 'never' },
  ] as const;
  t.deepEqual(failures, [...expected]);
  const loud = said.filter((line) => /warn|error/.test(String(line)));
  t.deepEqual(loud, [], 'nothing is logged beside it');
});

test('GRAF-c10: it hears of lists and watches that fail, too', async (t) => {
  const server = await theServer();
  const failures: ControllerFailure[] = [];
  let isBroken = true;
  server.cluster.intercept((request, next) =>
    isBroken && request.url.includes('/configmaps')
      ? Promise.resolve({ status: 500, headers: {}, body: 'out of order' })
      : next(request),
  );
  const { controller } = controlled(server, async () => done, {
    errorHandler: (_error, about) => void failures.push(about),
  });
  await server.clock.advance(500);
  isBroken = false;
  t.deepEqual(failures[0], { type: 'informer', resourceKind: 'configmaps', resource: 'configmaps' });
  await server.clock.advance(60_000);
  t.true(controller.health().synced);
});
