import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { createClient, ensureCrds, type KubeObject, Workspace } from '../../../sdk/index.ts';
import { createCluster } from '../../cluster/index.ts';
import { blocksOf } from './blocks.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns an object of a page with a name to be applied under; a fragment that begins with `spec` is one of a Workspace. Undefined for other kinds. */
function workspaceOf(value: unknown, name: string): KubeObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { apiVersion, kind, spec, metadata } = value as Partial<KubeObject> & { readonly spec?: unknown };
  const own = `${Workspace.group}/${Workspace.version}`;
  const isFragment = apiVersion === undefined && spec !== undefined;
  if (!isFragment && (apiVersion !== own || kind !== Workspace.kind)) return undefined;
  return { ...value, apiVersion: own, kind: Workspace.kind, metadata: { ...metadata, name, namespace: 'default' } };
}

/** Workspace of a page, or why its block is none. */
interface Found {
  readonly at: string;
  readonly object?: KubeObject;
  readonly mistake?: string;
}

/** Returns the workspaces in the YAML blocks of a page. */
const foundIn = (page: string): readonly Found[] =>
  blocksOf(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text, line }) => [...parseAllDocuments(text)].map((document) => ({ document, at: `${page}:${line}` })))
    .flatMap(({ document, at }, index): readonly Found[] => {
      if (document.errors.length > 0) return [{ at, mistake: 'no YAML' }];
      const object = workspaceOf(document.toJS(), `one-${index}`);
      return object === undefined ? [] : [{ at, object }];
    });

test('each Workspace of the docs is one that the API server takes, without a field that it does not know', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  const pages = globSync('{*.md,docs/**/*.md,integrations/**/*.md,examples/**/*.md}', { cwd: root }).sort();
  const found = pages.flatMap(foundIn);
  const judge = async ({ at, object, mistake }: Found): Promise<readonly string[]> => {
    const write = { fieldValidation: 'Strict', dryRun: true } as const;
    const told = mistake ?? (await client.create(Workspace, object as Workspace, write).then(() => '', String));
    return told === '' ? [] : [`${at}: ${told}`];
  };
  const refused = (await Promise.all(found.map(judge))).flat();
  await client.close();
  await cluster.close();
  t.true(found.length > 16, `${found.length}`);
  // The examples of E#2003 and E#2022 are refused, as they say.
  const [broken = '', unknown = '', ...others] = refused;
  t.deepEqual(others, []);
  t.regex(broken, /^docs\/errors\.md:\d+: no YAML$/);
  t.regex(unknown, /^docs\/errors\.md:\d+: .*unknown field "spec\.componants"/);
});
