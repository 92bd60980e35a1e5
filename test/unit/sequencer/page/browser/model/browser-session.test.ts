import test from 'ava';
import { addressOf, readRoute, tokenIn } from '../../../../../../sequencer/page/browser/model/browser-session.ts';

test('an address leads back to its workspace and condition', (t) => {
  t.deepEqual(readRoute(addressOf('team-a/shop')), { kind: 'workspace', key: 'team-a/shop', condition: undefined });
  t.deepEqual(readRoute(addressOf('a/b', 'My Condition/1')), {
    kind: 'workspace',
    key: 'a/b',
    condition: 'My Condition/1',
  });
  t.deepEqual(readRoute('#/process'), { kind: 'process' });
  for (const other of ['', '#', '#/', '#/w/a', '#/w/%E0%A4%A/', '#/x/y/z']) t.is(readRoute(other).kind, 'list', other);
});

test('a fragment without slashes is a token', (t) => {
  t.is(tokenIn('#abcdefghijklmnop-_=.~'), 'abcdefghijklmnop-_=.~');
  for (const other of ['#/', '#/w/a/b', '#short', '', '#/abcdefghijklmnopqrst']) t.is(tokenIn(other), undefined, other);
});
