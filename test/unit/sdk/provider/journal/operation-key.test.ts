import test from 'ava';
import { isKeyOfOtherUid, isKeyOfUid, operationKey } from '../../../../../sdk/provider/journal/operation-key.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const withUid = (uid: string) => ({ ...aWorkspace({}), metadata: { ...aWorkspace({}).metadata, uid } });

test('a key is a DNS label that tells the uid of its workspace, whatever the journal and the count', (t) => {
  const [one, other] = [withUid('c4e1'), withUid('c4e2')];
  const keys = [operationKey(one, 'DNS/a', 1), operationKey(one, 'DNS/b', 1), operationKey(one, 'DNS/a', 2)];
  t.is(new Set(keys).size, 3);
  for (const key of keys) {
    t.regex(key, /^ws-u[0-9a-f]{16}-\d$/);
    t.true(isKeyOfUid('c4e1', key));
    t.false(isKeyOfUid('c4e2', key));
    t.true(isKeyOfOtherUid(['c4e2', 'c4e3'], key));
    t.false(isKeyOfOtherUid(['c4e2', 'c4e1'], key));
  }
  t.false(isKeyOfOtherUid(['c4e1'], 'ws-0000000000000000-1'), 'the key of an earlier release does not tell');
  t.not(operationKey(other, 'DNS/a', 1), keys[0]);
});
