/** The command `sequencer envtest`: writes programs that stand in for etcd and kube-apiserver in test suites for envtest. */

import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, UserError } from '../../../sdk/index.ts';
import { clusterFor, clusterOptions } from '../args/cluster-options.ts';
import { type Command, commonOptions, type Invocation } from '../args/command.ts';
import { programOf } from '../args/config.ts';
import { namedControllers } from '../args/controllers.ts';
import { type AssetProgram, assetPrograms } from './programs.ts';

/** Writes a program atomically, since a test suite may be starting it at the same time. */
async function write(folder: string, { file, text }: AssetProgram): Promise<void> {
  const unfinished = join(folder, `.${file}.${process.pid}`);
  await writeFile(unfinished, text);
  await chmod(unfinished, 0o755);
  await rename(unfinished, join(folder, file));
}

/** Returns the options to pass on to each kube-apiserver. */
const optionsIn = ({ values }: Invocation): readonly string[] =>
  Object.keys(clusterOptions).flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));

const shellWord = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** `sequencer envtest`. */
export const envtest: Command = {
  name: 'envtest',
  summary: 'write stand-ins of kube-apiserver and etcd for envtest',
  operands: 'DIR',
  options: {
    controllers: {
      ...clusterOptions.controllers,
      description: 'run these beside each API server (default: none, as envtest)',
    },
    version: clusterOptions.version,
    ...commonOptions,
  },
  examples: [
    ['eval "$(sequencer envtest ./bin)" && go test ./...', 'on clusters in memory'],
    ['sequencer envtest ./bin --controllers namespace,garbageCollector', 'where namespaces and owned objects go'],
  ],
  async run(invocation) {
    const [folder, ...more] = invocation.operands;
    if (folder === undefined || more.length > 0)
      throw new UserError('E#2001', 'sequencer envtest: name one folder', { hint: 'sequencer envtest --help' });
    const { controllers } = invocation.values;
    if (controllers !== undefined) await (await clusterFor('envtest', namedControllers(controllers))).close();
    const path = resolve(folder);
    const sequencer = [process.execPath, ...process.execArgv, programOf('sequencer/cli/main.ts')];
    try {
      await mkdir(path, { recursive: true });
      for (const program of assetPrograms(sequencer, optionsIn(invocation))) await write(path, program);
    } catch (error) {
      throw new UserError('E#2035', `cannot write into ${path}: ${messageOf(error)}`, {
        hint: 'name a folder that may be written to',
        cause: error,
      });
    }
    process.stdout.write(`export KUBEBUILDER_ASSETS=${shellWord(path)}\n`);
    return 0;
  },
};
