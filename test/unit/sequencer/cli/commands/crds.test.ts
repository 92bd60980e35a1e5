import { createRequire } from 'node:module';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../../sdk/host/index.ts';
import {
  type CustomResourceDefinition,
  CustomResourceDefinitionKind,
  createClient,
  ensureCrds,
  Workspace,
} from '../../../../../sdk/index.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { runToEnd } from '../a-terminal.ts';

const { version } = createRequire(import.meta.url)('../../../../../package.json') as { readonly version: string };
const ofRelease = (one: CustomResourceDefinition) => ({
  ...one,
  metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, 'se.quencer.io/release': version } },
});

test('what is printed are the CRDs of all kinds, as YAML', async (t) => {
  const { code, stdout } = await runToEnd(['crds']);
  t.is(code, 0);
  const definitions = [Workspace, IntegrationConfig, ClusterIntegrationConfig].map((kind) => kind.crd?.());
  t.deepEqual(
    parseAllDocuments(stdout).map((document) => document.toJSON() as unknown),
    JSON.parse(JSON.stringify((await Promise.all(definitions)).map((one) => one && ofRelease(one)))),
  );
});

test('what an administrator has applied is left alone by an older operator', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const definition = parseAllDocuments((await runToEnd(['crds'])).stdout)[0]!.toJSON() as CustomResourceDefinition;
  await client.create(CustomResourceDefinitionKind, definition);
  const older = structuredClone((await Workspace.crd?.())!);
  delete (older.spec.versions[0]!.schema!.openAPIV3Schema!.properties as Record<string, unknown>).status;
  const [outcome] = await ensureCrds(client, [{ ...Workspace, crd: async () => older }], { release: '0.0.9' });
  t.like(outcome, { outcome: 'kept' });
  t.regex(outcome?.notice ?? '', /is left alone: the newer release/);
  await client.close();
  await cluster.close();
});
