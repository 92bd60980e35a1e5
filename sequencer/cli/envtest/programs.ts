/** Scripts that envtest starts as etcd and kube-apiserver. */

import { supportedFlags } from './server-flags.ts';

/** Command that starts this package's command line: a program and its first arguments. */
export type ProgramInvocation = readonly string[];

/** Program in a folder of KUBEBUILDER_ASSETS. */
export interface AssetProgram {
  readonly file: string;
  readonly text: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const helpText = (flags: Readonly<Record<string, string>>): string =>
  Object.entries(flags)
    .map(([name, does]) => `  --${name}  ${does}`)
    .join('\n');

/** Returns a script that starts the program and prints `--help` itself, since test suites read that before each start. */
const scriptOf = (name: string, flags: Readonly<Record<string, string>>, start: ProgramInvocation): string => `#!/bin/sh
# Written by "sequencer envtest": what test suites take for ${name}.
for flag; do
  case $flag in
  --help|-h) cat <<'END'
${name} of an in-memory cluster, for test suites. Flags:

${helpText(flags)}
END
    exit ;;
  esac
done
exec ${start.map(quoted).join(' ')} -- "$@"
`;

const etcdFlags = { 'listen-client-urls': 'where to answer health checks' };

/** Returns both programs; `options` are passed to each kube-apiserver. */
export const assetPrograms = (sequencer: ProgramInvocation, options: readonly string[]): readonly AssetProgram[] => [
  { file: 'etcd', text: scriptOf('etcd', etcdFlags, [...sequencer, 'etcd']) },
  {
    file: 'kube-apiserver',
    text: scriptOf('kube-apiserver', supportedFlags, [...sequencer, 'kube-apiserver', ...options]),
  },
];
