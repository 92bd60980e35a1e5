/** Parses the command line of a kube-apiserver. */

/** Values of each flag by name, without dashes. */
export type ServerFlags = ReadonlyMap<string, readonly string[]>;

/**
 * Parses `--name=value`, `--name value` and `--name`, which is `true`. kube-apiserver accepts only flags, so a bare word belongs to the flag before
 * it.
 */
export function serverFlagsOf(args: readonly string[]): ServerFlags {
  const flags = new Map<string, string[]>();
  const put = (name: string, value: string) => flags.set(name, [...(flags.get(name) ?? []), value]);
  for (const [index, arg] of args.entries()) {
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) continue;
    const next = args[index + 1];
    put(name, value ?? (next === undefined || next.startsWith('-') ? 'true' : next));
  }
  return flags;
}

/** Returns the last value of a flag. */
export const lastOf = (flags: ServerFlags, name: string): string | undefined => flags.get(name)?.at(-1);

/** Returns all values of a list flag, comma-separated or repeated. */
export const wordsOf = (flags: ServerFlags, name: string): readonly string[] =>
  (flags.get(name) ?? []).flatMap((value) => value.split(',')).filter((word) => word !== '');

/** Supported flags with their descriptions. */
export const supportedFlags: Readonly<Record<string, string>> = {
  'bind-address': 'the address to listen on (127.0.0.1)',
  'secure-port': 'the port to listen on (6443)',
  'tls-cert-file': 'the serving certificate; with --tls-private-key-file',
  'tls-private-key-file': 'its key',
  'cert-dir':
    'where apiserver.crt and apiserver.key are, unless both flags are set (default: a self-signed certificate)',
  'client-ca-file': 'the authority of client certificates',
  'token-auth-file': 'bearer tokens: lines of token,user,uid,"groups"',
  'authorization-mode': 'Roles are enforced if RBAC is among the modes; otherwise everything is allowed',
  'service-cluster-ip-range': 'where the addresses of Services come from (10.96.0.0/16)',
  'service-account-issuer': 'the issuer of service account tokens',
};

/** Flags that request the default behaviour, or have no observable effect. */
const flagsWithoutEffect: readonly string[] = [
  'advertise-address',
  'allow-privileged',
  'disable-admission-plugins',
  'etcd-servers',
  'insecure-port',
  'service-account-key-file',
  'service-account-signing-key-file',
  'v',
];

/** Returns the flags that are ignored though they would matter. */
export const ignoredFlags = (flags: ServerFlags): readonly string[] =>
  [...flags.keys()]
    .filter((name) => !Object.hasOwn(supportedFlags, name) && !flagsWithoutEffect.includes(name))
    .map((name) => `--${name}`);
