import test from 'ava';
import pino from 'pino';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import type { Request } from '../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aConfigMap, controlled, inDefault, theServer, until } from '../operator/controlled.ts';

test('a request made by hand is one of an update, with nothing around it', (t) => {
  const request = requestFor(ConfigMap, aConfigMap('a'));
  t.like(request, { key: inDefault('a'), cause: 'updated', attempt: 0, state: undefined, kind: ConfigMap });
  t.is(request.object?.metadata.name, 'a');
  t.is(request.stored(ConfigMap).size, 0);
  t.notThrows(() => request.logger.info('a line'));
  t.throws(() => request.client.get(ConfigMap, inDefault('a')), {
    message: 'this request was made without a client, and get was asked of it',
  });
});

test('a request for what is gone has its key only', (t) => {
  const request = requestFor(ConfigMap, inDefault('a'), { cause: 'deleted', attempt: 2 });
  t.like(request, { key: inDefault('a'), object: undefined, cause: 'deleted', attempt: 2 });
});

test('a request’s logger is made for the first word, says whose it is, and outlives spreading', (t) => {
  const said: string[] = [];
  let made = 0;
  const logger = pino({ level: 'trace' }, { write: (line: string) => void said.push(line) });
  const counting = Object.assign(Object.create(logger) as typeof logger, {
    child(...bindings: Parameters<typeof logger.child>) {
      made += 1;
      return logger.child(...bindings);
    },
  });
  const request = requestFor(ConfigMap, aConfigMap('a'), { logger: counting });
  const more = { ...request, more: true };
  t.is(made, 0);
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const)
    more.logger[level]({ level }, 'it is %s', level);
  t.is(made, 1);
  t.deepEqual(
    said.map((line) => JSON.parse(line)).map(({ object, run, msg }) => [object, run, msg]),
    ['trace', 'debug', 'info', 'warn', 'error'].map((level) => ['default/a', request.id, `it is ${level}`]),
  );
});

test('no two requests have the same id, or data', (t) => {
  const [one, other] = [requestFor(ConfigMap, inDefault('a')), requestFor(ConfigMap, inDefault('a'))];
  t.not(one.id, other.id);
  t.not(one.data, other.data);
});

test('a run of an engine has its client, its store, its events and its clock at hand', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const reported: string[] = [];
  const requests: Request<ConfigMap>[] = [];
  const { controller } = controlled(
    server,
    async (request) => {
      requests.push(request);
      request.events.event(request.object!, 'Normal', 'Seen', 'it was there');
      return {};
    },
    { events: { event: (...[, type, reason]) => void reported.push(`${type} ${reason}`) } },
  );
  await until(server.clock, () => requests.length > 0);
  const [request] = requests;
  t.is(request!.client, controller.client);
  t.is(request!.stored(ConfigMap), controller.store);
  t.is(request!.clock, server.clock);
  t.deepEqual(reported, ['Normal Seen']);
});
