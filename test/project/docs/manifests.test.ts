import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../sdk/host/index.ts';
import { type Client, createClient, ensureCrds, type Kind, type KubeObject, Workspace } from '../../../sdk/index.ts';
import { Website } from '../../../templates/controller/website.ts';
import { createCluster } from '../../cluster/index.ts';
import { blocksOf } from './examples/blocks.ts';

const root = join(import.meta.dirname, '../../..');

/** Blocks with these are not objects of a cluster, or of one that has more than ours. */
const excepted: Readonly<Record<string, string>> = {
  'v1 Config': 'a kubeconfig',
  'acme.example/v1 Gizmo': 'the example of E#2023, a kind that there is not',
  'sharding.timebertt.dev/v1alpha1 ControllerRing': 'the definition is that of kubernetes-controller-sharding',
};

/** Returns an object of a page with a name to be applied under; a fragment that begins with `spec` is one of a Workspace. Undefined for what is not an object. */
function objectOf(value: unknown, name: string): KubeObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = { apiVersion: `${Workspace.group}/${Workspace.version}`, kind: Workspace.kind };
  const { apiVersion, kind, spec, metadata } = value as Partial<KubeObject> & { readonly spec?: unknown };
  const isFragment = apiVersion === undefined && kind === undefined && spec !== undefined;
  if (!isFragment && apiVersion === undefined) return undefined;
  return { ...own, ...value, metadata: { ...metadata, name, namespace: 'default' } };
}

const titleOf = ({ apiVersion, kind }: KubeObject): string => `${apiVersion} ${kind}`;

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Finds the kind of an object by discovery. @throws Error when the server has none */
async function kindOf(client: Client, { apiVersion, kind }: KubeObject): Promise<Kind> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  const { resources } = (await client.raw('GET', path)) as ResourceList;
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (found === undefined) throw new Error(`the server has no kind ${kind}`);
  return { group, version, kind, plural: found.name, namespaced: found.namespaced };
}

/** Object of a page, or why its block is none. */
interface Found {
  readonly at: string;
  readonly object?: KubeObject;
  readonly mistake?: string;
}

/** Returns the objects in the YAML blocks of a page. */
const foundIn = (page: string): readonly Found[] =>
  blocksOf(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text, line }) => [...parseAllDocuments(text)].map((document) => ({ document, at: `${page}:${line}` })))
    .flatMap(({ document, at }, index): readonly Found[] => {
      if (document.errors.length > 0) return [{ at, mistake: 'no YAML' }];
      const object = objectOf(document.toJS(), `one-${index}`);
      return object === undefined ? [] : [{ at, object }];
    });

test('each object of the docs is one that the API server takes, without a field that it does not know', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig, Website]);
  const pages = globSync('{*.md,{docs,integrations,examples,templates}/**/*.md}', { cwd: root }).sort();
  const found = pages.flatMap(foundIn);
  const judge = async ({ at, object, mistake }: Found): Promise<readonly string[]> => {
    const write = { fieldValidation: 'Strict', dryRun: true } as const;
    const create = async (one: KubeObject) => client.create(await kindOf(client, one), one, write);
    const told = mistake ?? (await create(object!).then(() => '', String));
    return told === '' ? [] : [`${at}: ${told}`];
  };
  const titles = new Set(found.flatMap(({ object }) => (object === undefined ? [] : [titleOf(object)])));
  for (const [title, why] of Object.entries(excepted)) t.true(titles.has(title), `no page has ${title}, ${why}`);
  const judged = found.filter(({ object }) => object === undefined || excepted[titleOf(object)] === undefined);
  const refused = (await Promise.all(judged.map(judge))).flat();
  await client.close();
  await cluster.close();
  t.true(judged.length > 24, `${judged.length}`);
  // The examples of E#2003 and E#2022 are refused, as they say.
  const [broken = '', unknown = '', ...others] = refused;
  t.deepEqual(others, []);
  t.regex(broken, /^docs\/errors\.md:\d+: no YAML$/);
  t.regex(unknown, /^docs\/errors\.md:\d+: .*unknown field "spec\.componants"/);
});
