import test from 'ava';
import { checkedNamespace, checkPagePort } from '../../../../../sequencer/cli/manifests/check-values.ts';

test('a name that no namespace has is refused before anything is printed', (t) => {
  t.is(checkedNamespace('namespace', 'team-a'), 'team-a');
  t.is(checkedNamespace('namespace', undefined), undefined);
  for (const text of ['Team_A', 'a.b', '-a', '', 'a'.repeat(64)])
    t.throws(() => checkedNamespace('operator-namespace', text), {
      code: 'E#2001',
      message: /--operator-namespace needs a name/,
    });
});

test('the page has a port of its own, and one that is known', (t) => {
  for (const [port, hasWebhook] of [
    [0, false],
    [8080, false],
    [9443, true],
  ] as const)
    t.throws(() => checkPagePort(port, hasWebhook), { code: 'E#2001' });
  for (const [port, hasWebhook] of [
    [8090, true],
    [9443, false],
  ] as const)
    t.notThrows(() => checkPagePort(port, hasWebhook));
});
