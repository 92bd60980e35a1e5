import test from 'ava';
import { publishErrorOf } from '../../../../integrations/notify/jetstream.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

const named = (name: string, cause?: Error): Error => Object.assign(new Error('why\r\n  so', { cause }), { name });

for (const error of [
  named('JetStreamApiError'),
  named('JetStreamNotEnabled'),
  named('InvalidArgumentError'),
  named('RequestError', named('PermissionViolationError')),
])
  test(`nothing was stored: ${error.name}`, (t) => {
    const told = publishErrorOf(error);
    t.true(told instanceof DefiniteError);
    t.regex(told.message, /^NATS: why so/);
    t.is(publishErrorOf(told), told);
  });

for (const error of [named('TimeoutError'), named('RequestError', named('ConnectionError')), named('AbortError')])
  test(`unknown outcome: ${error.name}`, (t) => {
    t.false(publishErrorOf(error) instanceof DefiniteError);
  });
