/** Recipes that build the client programs. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { kubernetesVersion } from '../real/binaries.ts';
import { programPath } from '../real/owned-process.ts';

/** One command of a recipe; `args` take the folder that it builds into. */
export interface Step {
  readonly command: string;
  readonly args: (output: string) => readonly string[];
}

/** Build of the programs of one folder with the toolchain of their language. */
export interface Recipe {
  readonly name: string;
  /** The folder of the sources, below this one. */
  readonly folder: string;
  /** Program that must be on the PATH. */
  readonly needs: string;
  /** Built only when named. @default false */
  readonly onDemand?: boolean;
  readonly steps: readonly Step[];
}

const quick = ['-trimpath', '-buildvcs=false', '-mod=readonly'];

const goBuild = (name: string, what: string, flags = '-s -w'): Step => ({
  command: 'go',
  args: (output) => ['build', ...quick, '-ldflags', flags, '-o', join(output, name), what],
});

/** A package's own tests, as a program. */
const goTests = (name: string, of: string, ...flags: readonly string[]): Step => ({
  command: 'go',
  args: (output) => ['test', '-c', ...quick, '-ldflags', '-s -w', ...flags, '-o', join(output, `${name}.test`), of],
});

/** Kubernetes' own end-to-end tests as a program, with Ginkgo to run them in parallel. */
const endToEnd: readonly Step[] = [goBuild('ginkgo', 'github.com/onsi/ginkgo/v2/ginkgo'), goTests('e2e', '.')];

/** Packages of controller-runtime whose own tests run here. */
export const suites = [
  'client',
  'cache',
  'cluster',
  'controller',
  'envtest',
  'webhook',
  'source',
  'builder',
  'internal/recorder',
] as const;

/** Versions of kubectl with the versions that each go.mod requires; those between the oldest and the newest are built on demand. */
export const kubectls = [
  { version: '1.28', release: 'v1.28.3', onDemand: false },
  { version: '1.30', release: 'v1.30.4', onDemand: true },
  { version: '1.32', release: 'v1.32.3', onDemand: true },
  { version: '1.33', release: 'v1.33.4', onDemand: false },
] as const;

/** Linker flags that set kubectl's version; a plain `go build` leaves it empty. */
function kubectlFlags(release: string): string {
  const [major, minor] = release.slice(1).split('.');
  const set = (name: string, value = '') => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s -w', set('gitVersion', release), set('gitMajor', major), set('gitMinor', minor)].join(' ');
}

// From a folder of sources.
const realModule = '../../real';

/** Kubectl's tests as shell scripts, and the kubectl of their release. */
const kubectlTests: readonly Step[] = [
  {
    command: 'go',
    args: (output) => [
      ...['build', '-C', realModule, ...quick, '-ldflags', kubectlFlags(kubernetesVersion())],
      ...['-o', join(output, 'kubectl'), 'k8s.io/kubernetes/cmd/kubectl'],
    ],
  },
  { command: 'bash', args: (output) => ['gather.sh', realModule, output] },
];

/** Packages from PyPI for Python's `PYTHONPATH`. */
const pythonPackages: Step = {
  command: 'python3',
  args: (output) => [
    ...['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check', '--no-deps'],
    ...['--root-user-action=ignore', '--target', output, '-r', 'requirements.txt'],
  ],
};

/** All recipes, the most important first. */
export const recipes: readonly Recipe[] = [
  {
    name: 'go',
    folder: 'go',
    needs: 'go',
    steps: [
      goBuild('manager', './manager'),
      goBuild('steps', './steps'),
      ...suites.map((name) => goTests(basename(name), `sigs.k8s.io/controller-runtime/pkg/${name}`)),
    ],
  },
  { name: 'python', folder: 'python/packages', needs: 'python3', steps: [pythonPackages] },
  { name: 'smtp', folder: 'smtp/packages', needs: 'python3', steps: [pythonPackages] },
  { name: 'moto', folder: 'moto/packages', needs: 'python3', steps: [pythonPackages] },
  {
    name: 'java',
    folder: 'java',
    needs: 'mvn',
    steps: [
      {
        command: 'mvn',
        args: (output) => [
          ...['--quiet', '--batch-mode', '--no-transfer-progress', `-Doutput=${output}`],
          ...['process-classes', 'dependency:copy-dependencies'],
        ],
      },
    ],
  },
  {
    name: 'versitygw',
    folder: 'versitygw',
    needs: 'go',
    steps: [goBuild('versitygw', 'github.com/versity/versitygw/cmd/versitygw')],
  },
  {
    name: 'pebble',
    folder: 'pebble',
    needs: 'go',
    steps: [goBuild('pebble', 'github.com/letsencrypt/pebble/v2/cmd/pebble')],
  },
  // Six minutes of a processor, and a C compiler for its SQLite.
  {
    name: 'gitea',
    folder: 'gitea',
    needs: 'go',
    onDemand: true,
    steps: [{ command: 'bash', args: (output) => ['build.sh', output] }],
  },
  { name: 'helm', folder: 'helm', needs: 'go', steps: [goBuild('helm', 'helm.sh/helm/v3/cmd/helm')] },
  // A minute of a processor for one test: built when that is asked for.
  { name: 'collector', folder: 'collector', needs: 'go', onDemand: true, steps: [goBuild('collector', '.')] },
  {
    name: 'rust',
    folder: 'rust',
    needs: 'cargo',
    steps: [
      {
        command: 'cargo',
        args: (output) => [
          ...['install', '--quiet', '--locked', '--debug', '--path', '.'],
          ...['--root', output, '--target-dir', join(output, 'target')],
        ],
      },
      { command: 'rm', args: (output) => ['-rf', join(output, 'target')] },
    ],
  },
  // Shares packages with the real server: minutes faster once that has been built.
  { name: 'e2e', folder: 'e2e', needs: 'go', onDemand: true, steps: endToEnd },
  {
    name: 'ecosystem',
    folder: 'ecosystem',
    needs: 'go',
    steps: [
      goTests('gateway', 'sigs.k8s.io/gateway-api/pkg/test/cel', '-tags', 'experimental'),
      goTests('ssa', 'github.com/fluxcd/pkg/ssa'),
    ],
  },
  { name: 'cmd', folder: 'cmd', needs: 'go', onDemand: true, steps: kubectlTests },
  ...kubectls.map(({ version, release, onDemand }) => ({
    name: `kubectl-${version}`,
    folder: `kubectl/${version}`,
    needs: 'go',
    onDemand,
    steps: [goBuild('kubectl', '.', kubectlFlags(release))],
  })),
];

/** Returns the folder of a recipe's sources. */
export const sourcesOf = ({ folder }: Recipe): string => join(import.meta.dirname, folder);

function* filesIn(folder: string): Iterable<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** Returns the folder in which the build of exactly these sources is cached, built or not. */
export function outputOf(recipe: Recipe): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe.steps.map(({ args }) => args(''))));
  for (const path of filesIn(sourcesOf(recipe)))
    hash.update(`${path.slice(import.meta.dirname.length)}\0`).update(readFileSync(path));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'workspace-sequencer', 'clients', `${recipe.name}-${hash.digest('hex').slice(0, 12)}`);
}

/** Reports whether its toolchain is installed on this machine. */
export const isBuildable = ({ needs }: Recipe): boolean => programPath(needs) !== undefined;

/** Reports whether it has been built. */
export const isBuilt = (recipe: Recipe): boolean => existsSync(outputOf(recipe));

/** Returns the output of the recipe of that name; `undefined` when it has not been built. */
export function built(name: string): string | undefined {
  const recipe = recipes.find((one) => one.name === name);
  return recipe !== undefined && isBuilt(recipe) ? outputOf(recipe) : undefined;
}
