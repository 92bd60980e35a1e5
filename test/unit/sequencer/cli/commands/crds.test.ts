import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../../sdk/host/index.ts';
import { Workspace } from '../../../../../sdk/index.ts';
import { runToEnd } from '../a-terminal.ts';

test('what is printed are the CRDs of all kinds, as YAML', async (t) => {
  const { code, stdout } = await runToEnd(['crds']);
  t.is(code, 0);
  const definitions = [Workspace, IntegrationConfig, ClusterIntegrationConfig].map((kind) => kind.crd?.());
  t.deepEqual(
    parseAllDocuments(stdout).map((document) => document.toJSON() as unknown),
    JSON.parse(JSON.stringify(await Promise.all(definitions))),
  );
});
