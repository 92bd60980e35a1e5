import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { programPath } from '../real/owned-process.ts';
import { until } from '../real/until.ts';
import { run } from '../stories/programs.ts';
import { inMemory, judge, type ServerProgram } from './servers.ts';

interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Definition extends Sample {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
  };
}

/** A project, the Go module with its definitions, and the samples to validate. */
interface Project {
  readonly name: string;
  readonly module: string;
  readonly definitions: string;
  /** Files or folders in the module. */
  readonly good: string;
  /** A folder of the module, or a file beside this one. */
  readonly bad: string;
}

const projects: readonly Project[] = [
  {
    name: 'Gateway API',
    module: 'sigs.k8s.io/gateway-api@v1.4.1',
    definitions: 'config/crd/standard',
    good: 'examples/standard',
    bad: 'hack/invalid-examples/standard',
  },
  {
    name: "Gateway API's experimental channel",
    module: 'sigs.k8s.io/gateway-api@v1.4.1',
    definitions: 'config/crd/experimental',
    good: 'examples/experimental',
    bad: 'hack/invalid-examples/experimental',
  },
  {
    name: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager@v1.21.2',
    definitions: 'deploy/crds',
    good: 'test/fixtures/cert-manager-resources.yaml',
    bad: join(import.meta.dirname, 'definitions/bad-certificates.yaml'),
  },
];

/** Objects among the documents of a file, or of all files below a folder. */
function objectsIn(path: string): readonly Sample[] {
  const files = /\.yaml$/.test(path)
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'))
        .sort()
        .map((name) => join(path, name));
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8'))
      .map((document) => document.toJS() as Sample | null)
      .filter((object) => object !== null),
  );
}

/** Loads a project's files from its module. */
async function materialOf({ module, definitions, good, bad }: Project) {
  const { stdout, stderr } = await run('go', ['mod', 'download', '-json', module]);
  const { Dir: folder } = JSON.parse(stdout || '{}') as { Dir?: string };
  if (folder === undefined) throw new Error(`no module ${module}: ${stderr}${stdout}`);
  const crds = objectsIn(join(folder, definitions)) as readonly Definition[];
  const ours = (object: Sample): boolean => crds.some((crd) => pathOf(crd, object) !== undefined);
  const samples = (path: string) => objectsIn(path.startsWith('/') ? path : join(folder, path)).filter(ours);
  return { crds, good: samples(good), bad: samples(bad) };
}

/** Path at which a sample is created, if it is of that definition's kind. */
function pathOf({ spec }: Definition, { apiVersion, kind, metadata }: Sample): string | undefined {
  const { group, scope, names } = spec;
  if (kind !== names.kind || !apiVersion.startsWith(`${group}/`)) return undefined;
  const namespace = scope === 'Namespaced' ? `namespaces/${metadata.namespace ?? 'default'}/` : '';
  return `/apis/${apiVersion}/${namespace}${names.plural}`;
}

type Material = Awaited<ReturnType<typeof materialOf>>;

/** Installs the definitions, and the namespaces of the samples. */
async function prepare({ api }: ServerProgram, { crds, good, bad }: Material): Promise<readonly number[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const statuses: number[] = [];
  for (const body of crds) statuses.push((await api.ask({ method: 'POST', path, body })).status);
  for (const { metadata } of crds)
    await until(
      async () => {
        const { body } = await api.ask({ path: `${path}/${metadata.name}` });
        const { conditions = [] } = (body as { status: { conditions?: { type: string; status: string }[] } }).status;
        return conditions.some(({ type, status }) => type === 'Established' && status === 'True') || undefined;
      },
      { message: (error) => `${metadata.name} is not established (${error})` },
    );
  for (const name of new Set([...good, ...bad].map(({ metadata }) => metadata.namespace ?? 'default')))
    await api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  return statuses;
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

/** Dry-run answers of a server to each sample. The order of several mistakes is random in the real one. */
async function verdicts({ api }: ServerProgram, { crds }: Material, samples: readonly Sample[]) {
  const all: { name: string; status: number; words: readonly string[] }[] = [];
  for (const sample of samples) {
    const path = crds.map((crd) => pathOf(crd, sample)).find((one) => one !== undefined);
    const { status, body } = await api.ask({
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=Strict`,
      body: sample,
    });
    const { message = '', details } = status === 201 ? {} : (body as Status);
    const causes = (details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`).sort();
    all.push({
      name: `${sample.kind} ${sample.metadata.name}`,
      status,
      words: causes.length > 1 ? causes : [message, ...causes],
    });
  }
  return all;
}

async function judged(server: ServerProgram, material: Material) {
  const installed = await prepare(server, material);
  const good = await verdicts(server, material, material.good);
  return { installed, good, bad: await verdicts(server, material, material.bad) };
}

for (const project of projects)
  (programPath('go') === undefined ? test.skip : test.serial)(
    `the definitions of ${project.name} install, accept their samples and refuse bad ones in the server's words`,
    async (t) => {
      const material = await materialOf(project);
      const server = await inMemory.start();
      t.teardown(() => server.close());
      const ours = await judged(server, material);
      t.true(ours.installed.every((status) => status === 201));
      t.deepEqual(
        ours.good.filter(({ status }) => status !== 201),
        [],
      );
      t.deepEqual(
        ours.bad.filter(({ status }) => status !== 422 && status !== 400),
        [],
      );
      t.true(ours.good.length > 0 && ours.bad.length > 0);
      if (judge === undefined) return;
      const real = await judge.start();
      t.teardown(() => real.close());
      t.deepEqual(ours, await judged(real, material));
      t.log(`${material.crds.length} definitions, ${ours.good.length} good samples, ${ours.bad.length} bad ones`);
    },
  );
