import { join } from 'node:path';
import test from 'ava';
import { binaryPath } from '../real/binaries.ts';
import { run } from '../stories/programs.ts';
import { built } from './recipes.ts';
import { type ServerProgram, startInMemory } from './servers.ts';

/** A project's own tests of its use of an API server. */
interface Suite {
  readonly whose: string;
  /** Program of the recipe. */
  readonly program: string;
  readonly module: string;
  /** Folder of their package, in the module. */
  readonly folder: string;
  /** Number of specs that must pass, so that none is skipped unnoticed. */
  readonly atLeast: number;
  /** Prepares a server for them; `folder` is the module's. */
  readonly prepare?: (server: ServerProgram, folder: string) => Promise<void>;
}

async function installExperimental({ kubeconfigPath }: ServerProgram, folder: string): Promise<void> {
  const args = [
    '--kubeconfig',
    kubeconfigPath,
    'apply',
    '--server-side',
    '-k',
    join(folder, 'config/crd/experimental'),
  ];
  const { code, stderr } = await run(binaryPath('kubectl'), args);
  if (code !== 0) throw new Error(stderr);
}

const suites: readonly Suite[] = [
  {
    whose: "Gateway API's own tests of its definitions and their rules",
    program: 'gateway.test',
    module: 'sigs.k8s.io/gateway-api',
    folder: 'pkg/test/cel',
    atLeast: 230,
    prepare: installExperimental,
  },
  {
    whose: "Flux's own tests of server-side apply",
    program: 'ssa.test',
    module: 'github.com/fluxcd/pkg/ssa',
    folder: '.',
    atLeast: 100,
  },
];

const programs = built('ecosystem');

for (const { whose, program, module, folder, atLeast, prepare } of suites)
  (programs === undefined ? test.skip : test.serial)(`${whose} pass`, async (t) => {
    t.timeout(180_000);
    const server = await startInMemory([]);
    t.teardown(() => server.close());
    const where = ['list', '-C', join(import.meta.dirname, 'ecosystem'), '-m', '-f', '{{.Dir}}', module];
    const source = (await run('go', where)).stdout.trim();
    await prepare?.(server, source);
    const env = { KUBECONFIG: server.kubeconfigPath, USE_EXISTING_CLUSTER: 'true' };
    const { stdout: said } = await run(join(programs ?? '', program), ['-test.v'], { env, cwd: join(source, folder) });
    t.deepEqual(said.match(/^ *--- FAIL.*$/gm) ?? [], [], said.slice(-3000));
    const passed = said.match(/^ *--- PASS/gm)?.length ?? 0;
    t.true(passed >= atLeast, said.slice(-1000));
    t.log(`${passed} tests`);
  });
