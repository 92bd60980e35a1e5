import test from 'ava';
import { refuseUnknown } from '../../integrations/options.ts';

test('an option that nobody reads is refused, naming it and those that are read', (t) => {
  t.throws(() => refuseUnknown('memoryDns', { target: 'x', traget: 'y' }, ['provider', 'target']), {
    instanceOf: TypeError,
    message: 'memoryDns: traget is no option; known are provider, target',
  });
});

test('known options pass, whatever their values', (t) => {
  t.notThrows(() => refuseUnknown('memoryDns', { target: undefined }, ['provider', 'target']));
  t.notThrows(() => refuseUnknown('memoryDns', {}, []));
});
