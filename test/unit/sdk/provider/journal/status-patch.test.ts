import test from 'ava';
import { statusPatch } from '../../../../../sdk/provider/journal/status-patch.ts';
import { aWorkspace } from '../../../a-workspace.ts';

test('only the fields that change are tested, each once', (t) => {
  const workspace = aWorkspace({ status: { host: 'a', tunnel: { remoteId: 'x' } } });
  const operations = statusPatch(workspace, (status) => {
    status.host = 'b';
    status.dns = [{ recordType: 'A', name: 'n', target: 't' }];
    status.phase = 'Error';
  });
  t.deepEqual(
    operations.filter(({ op }) => op === 'test').map(({ path }) => path),
    ['/metadata/uid', '/status/host', '/status/dns', '/status/phase'],
  );
});

test('a recipe that changes nothing makes no patch', (t) => {
  t.deepEqual(
    statusPatch(aWorkspace({ status: { host: 'a' } }), (status) => {
      status.host = 'a';
    }),
    [],
  );
});
