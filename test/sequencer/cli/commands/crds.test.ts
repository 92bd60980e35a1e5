import test from 'ava';
import { parse } from 'yaml';
import { Workspace } from '../../../../sdk/index.ts';
import { runToEnd } from '../a-terminal.ts';

test('what is printed is the CRD of the Workspace, as YAML', async (t) => {
  const { code, stdout } = await runToEnd(['crds']);
  t.is(code, 0);
  t.deepEqual(parse(stdout), JSON.parse(JSON.stringify(await Workspace.crd?.())));
});
