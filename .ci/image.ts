/** Carries out the Containerfile in a folder, where no image can be built, and starts its result as the image would be started. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Instruction {
  readonly name: string;
  readonly argument: string;
}

/** Image as its last stage leaves it. */
interface Image {
  readonly folder: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** The Node of this repository stands for that of the image. */
const withNode = [dirname(process.execPath), process.env.PATH].join(delimiter);

const instructionsOf = (text: string): readonly Instruction[] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', argument = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, argument }];
  });

/** Carries out all stages; paths of both lie in one folder, so that what one copies from the other is there already. */
function carryOut(text: string, context: string, root: string): Image {
  const env = { ...process.env, PATH: withNode };
  let folder = root;
  let user = '';
  let entrypoint: readonly string[] = [];
  const carry: Readonly<Record<string, (argument: string) => void>> = {
    FROM: () => undefined,
    ARG: () => undefined,
    ENV: () => undefined,
    CMD: () => undefined,
    WORKDIR(path) {
      folder = join(root, path);
      mkdirSync(folder, { recursive: true });
    },
    COPY(argument) {
      if (argument === '--from=build /app ./') return;
      const [source = '', target = ''] = argument.split(' ');
      for (const path of globSync(source, { cwd: context })) cpSync(join(context, path), join(folder, target, path));
    },
    RUN: (command) => execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    USER: (argument) => {
      user = argument;
    },
    ENTRYPOINT: (argument) => {
      entrypoint = JSON.parse(argument) as readonly string[];
    },
  };
  for (const { name, argument } of instructionsOf(text)) {
    const step = carry[name];
    if (step === undefined)
      throw new Error(`the Containerfile has an instruction ${name}, which is not carried out here`);
    step(argument);
  }
  return { folder, user, entrypoint };
}

const config = `import { components } from 'workspace-sequencer/integrations/components';
export const integrations = [components()];
`;

/** Script that makes the root and the working directory read-only, and becomes another user. */
const confined = `mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro "$PWD" && mount -o remount,bind,ro / || exit 97
user=$1; shift
exec setpriv --reuid "\${user%:*}" --regid "\${user#*:}" --clear-groups --bounding-set=-all --no-new-privs "$@"`;

/** Returns the command that confines another one as a container of the image does: as far as this user may do that. */
function confinement({ folder, user }: Image): readonly string[] {
  if (process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0)
    return ['unshare', '--mount', 'sh', '-c', confined, 'sh', user];
  chmodSync(folder, 0o555);
  console.log('this user makes no read-only root: the working directory alone is read-only');
  return ['env'];
}

/** Starts a command in the folder of the image. */
function start({ folder }: Image, command: readonly string[], kubeconfig: string) {
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    KUBECONFIG: kubeconfig,
    HOME: '/nonexistent',
  };
  const [program = '', ...args] = command;
  return spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Resolves once the output holds a text; rejects when the process ends before, or after a minute. */
const until = (child: ReturnType<typeof start>, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`${why} before "${text}":\n${output}`));
    const timer = setTimeout(fail, 60_000, 'a minute has passed');
    child.stdout.on('data', (data: Buffer) => {
      output += data;
      if (!output.includes(text)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });

/** Returns the command of the Deployment, with a free port for its metrics. */
function deployedCommand(repository: string): readonly string[] {
  const text = readFileSync(join(repository, 'deploy/base/sequencer.yaml'), 'utf8');
  const deployment = parseAllDocuments(text)
    .map((document) => document.toJS() as Deployed)
    .find(({ kind }) => kind === 'Deployment');
  const [{ command, args }] = deployment!.spec.template.spec.containers;
  return [...command, ...args.map((argument) => argument.replace('port=8080', 'port=0'))];
}

interface Deployed {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Container] } } };
}

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/**
 * Carries out the Containerfile with a tarball, and runs its result by the command of the Deployment, against a cluster in memory.
 * @throws Error if it does not begin or end well
 */
export async function proveImage(repository: string, tarball: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  const kubeconfig = join(folder, 'kubeconfig');
  const children: ReturnType<typeof start>[] = [];
  try {
    const image = carryOut(readFileSync(join(repository, 'Containerfile'), 'utf8'), dirname(tarball), folder);
    if (!readFileSync(join(image.folder, 'sbom.cdx.json'), 'utf8').includes('"name": "undici"'))
      throw new Error('the SBOM does not name undici');
    mkdirSync(join(image.folder, 'config'));
    writeFileSync(join(image.folder, 'config/sequencer.config.js'), config);

    const cluster = start(image, [...image.entrypoint, 'cluster', '--kubeconfig', kubeconfig], kubeconfig);
    children.push(cluster);
    await until(cluster, 'Ctrl-C stops the cluster');
    chmodSync(kubeconfig, 0o644);

    const confining = confinement(image);
    const writing = start(image, [...confining, 'sh', '-c', 'touch here 2>&1 || id -u'], kubeconfig);
    if (confining.length > 1) await until(writing, image.user.split(':')[0]!);
    const operator = start(image, [...confining, ...deployedCommand(repository)], kubeconfig);
    children.push(operator);
    await until(operator, '"msg":"running"');
    const ended = new Promise((resolve) => operator.once('exit', (code, signal) => resolve(code ?? signal)));
    operator.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`the operator of the image ended with ${code}`);
    console.log(`the image runs as ${image.user}, begins and ends`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
