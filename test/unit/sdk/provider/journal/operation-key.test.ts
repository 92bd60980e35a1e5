import test from 'ava';
import { isKeyOfUid, operationKey } from '../../../../../sdk/provider/journal/operation-key.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const withUid = (uid: string) => ({ ...aWorkspace({}), metadata: { ...aWorkspace({}).metadata, uid } });

test('a key is a DNS label that tells the uid of its workspace, whatever the journal and the count', (t) => {
  const [one, other] = [withUid('c4e1'), withUid('c4e2')];
  const keys = [operationKey(one, 'DNS/a', 1), operationKey(one, 'DNS/b', 1), operationKey(one, 'DNS/a', 2)];
  t.is(new Set(keys).size, 3);
  for (const key of keys) {
    t.regex(key, /^ws-[0-9a-f]{16}-\d$/);
    t.true(isKeyOfUid(one, key));
    t.false(isKeyOfUid(other, key));
  }
  t.not(operationKey(other, 'DNS/a', 1), keys[0]);
});
