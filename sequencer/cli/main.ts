#!/usr/bin/env node
/** Program `sequencer`: dispatches to its commands. */

import module from 'node:module';
import { minimumNode, unsupportedNode } from '../../sdk/node-version.ts';
import type { Command } from './args/command.ts';

// Cached code makes the imports below three times as fast from the second run on. Older Node versions, which are refused below, have no such function.
module.enableCompileCache?.();

interface CommandEntry {
  /** Absent for commands that only programs call. */
  readonly summary?: string;
  readonly load: () => Promise<Command>;
}

/** Commands by name, loaded on demand. */
const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'create a project: a plug-in that works, its test and its page',
    load: async () => (await import('./scaffold/init.ts')).init,
  },
  new: {
    summary: 'write an integration or a controller',
    load: async () => (await import('./scaffold/new.ts')).newPlugIn,
  },
  dev: {
    summary: 'walk workspaces to Ready and back on an embedded cluster, or on yours',
    load: async () => (await import('./commands/dev.ts')).dev,
  },
  plan: {
    summary: 'show what each integration would do for workspaces, without doing it',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  prove: {
    summary: 'prove a server of hooks, in any language, by the compliance kit',
    load: async () => (await import('./prove/prove.ts')).prove,
  },
  run: { summary: 'run the sequencer as an operator', load: async () => (await import('./commands/run.ts')).run },
  cluster: {
    summary: 'run the in-memory Kubernetes API alone',
    load: async () => (await import('./commands/cluster.ts')).cluster,
  },
  control: {
    summary: 'control a running in-memory cluster',
    load: async () => (await import('./commands/control.ts')).control,
  },
  envtest: {
    summary: 'write stand-ins of kube-apiserver and etcd for envtest',
    load: async () => (await import('./envtest/envtest.ts')).envtest,
  },
  'kube-apiserver': { load: async () => (await import('./envtest/kube-apiserver.ts')).kubeApiserver },
  etcd: { load: async () => (await import('./envtest/etcd.ts')).etcd },
  replay: {
    summary: 'replay recorded requests, and show where a server responds differently',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  resolve: {
    summary: 'resolve an attempt whose outcome is unknown',
    load: async () => (await import('./commands/resolve.ts')).resolve,
  },
  adopt: {
    summary: 'adopt the external objects of an earlier uid of a workspace',
    load: async () => (await import('./commands/adopt.ts')).adopt,
  },
  drain: {
    summary: 'delete every workspace, and show what is left and why',
    load: async () => (await import('./commands/drain.ts')).drain,
  },
  manifests: {
    summary: 'print all objects of an operator, or write a Helm chart of them',
    load: async () => (await import('./commands/print-manifests.ts')).manifests,
  },
  doctor: {
    summary: 'check an installation, and name the command that helps',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  explain: {
    summary: 'explain an error code and what to do',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  completion: {
    summary: 'print a script that completes commands and options in bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completionOf(await loadedCommands()),
  },
  crds: {
    summary: 'print the CustomResourceDefinitions as YAML',
    load: async () => (await import('./commands/crds.ts')).crds,
  },
};

/** Loads every command that the overview lists, but the one that asks for them. */
const loadedCommands = (): Promise<readonly Command[]> =>
  Promise.all(
    Object.entries(commands).flatMap(([name, { summary, load }]) => (summary && name !== 'completion' ? [load()] : [])),
  );

const overview = (): string =>
  [
    'sequencer: declare an environment as one Kubernetes object; its integrations are walked to Ready and back',
    '',
    'Usage',
    '  sequencer COMMAND [OPTION]... [FILE]...',
    '',
    'Commands',
    ...Object.entries(commands).flatMap(([name, { summary }]) => (summary ? [`  ${name.padEnd(10)}  ${summary}`] : [])),
    '',
    'Exit codes: 0 done, 1 an error (`sequencer explain CODE`), 130 interrupted.',
    'sequencer COMMAND --help says more. From a checkout, `npm start` is `sequencer dev`.',
    '',
  ].join('\n');

const print = (...lines: readonly string[]): void => {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
};

async function runCommand(entry: CommandEntry, args: readonly string[]): Promise<number> {
  const [command, { helpOf, parseCommand }] = await Promise.all([entry.load(), import('./args/command.ts')]);
  const invocation = parseCommand(command, args);
  if (!invocation.flags.has('help')) return command.run(invocation);
  process.stdout.write(helpOf(command));
  return 0;
}

const wantsDebug = (args: readonly string[]): boolean =>
  /(^|\s)--log-level[= ](debug|trace)(\s|$)/.test(args.join(' '));

const ownVersion = (): string =>
  (module.createRequire(import.meta.url)('workspace-sequencer/package.json') as { readonly version: string }).version;

/** Returns the advice after an unknown command. */
async function adviceFor(name: string): Promise<string> {
  if (name.startsWith('-')) return 'options follow the command: sequencer COMMAND [OPTION]...';
  const { suggestName } = await import('../../sdk/host/index.ts');
  const meant = suggestName(name, Object.keys(commands));
  return meant === undefined ? 'sequencer --help lists them' : `did you mean ${meant}?`;
}

const versionLine = (): string => `${ownVersion()}\n`;

/** Texts of `--help` and similar options, by option. */
const texts: ReadonlyMap<string, () => string> = new Map([
  ...['--help', '-h', 'help'].map((word) => [word, overview] as const),
  ...['--version', '-v', 'version'].map((word) => [word, versionLine] as const),
]);

/** Prints why a command has failed. @returns its exit code */
async function reportFailure(error: unknown, args: readonly string[]): Promise<number> {
  const [{ reportOf }, { isInterruption }] = await Promise.all([
    import('./output/report.ts'),
    import('../../sdk/host/index.ts'),
  ]);
  if (isInterruption(error)) {
    print('interrupted');
    return 130;
  }
  print(...reportOf(error, wantsDebug(args)));
  return 1;
}

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  const text = texts.get(name);
  if (text !== undefined) {
    process.stdout.write(text());
    return 0;
  }
  const tooOld = unsupportedNode(minimumNode, process);
  if (tooOld !== undefined) {
    print(
      `error E#2005: ${tooOld}`,
      '  https://nodejs.org has it; `npm install -D node@24` brings one for a project, `npx -p node@24 -p workspace-sequencer sequencer …` for one command',
    );
    return 1;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    print(`error E#2001: unknown command ${name}`, `  ${await adviceFor(name)}`);
    return 1;
  }
  try {
    return await runCommand(entry, args);
  } catch (error) {
    return reportFailure(error, args);
  }
}

/** A reader that closes the pipe early, such as `head`, is not a failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await main(process.argv.slice(2));
(await import('./process/end-process.ts')).endProcess();
