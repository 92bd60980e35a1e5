/** Decides what a release is made of, and what keeps it from being published. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Facts about the commit that is to be released. */
export interface Candidate {
  readonly version: string;
  readonly changelog: string;
  /** Tags of the commit. */
  readonly tags: readonly string[];
  /** True if files differ from the commit. */
  readonly isChanged: boolean;
  /** Address of the repository; undefined when none is known. */
  readonly address: string | undefined;
  readonly env: Environment;
}

/** Returns the https address of a repository without credentials; undefined for a path, and for what has no host. */
export function httpsOf(remote: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/|git\+https:\/\/)?(?:[^@/\s]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[/:]([\w./~-]+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    ) ?? [];
  return host === undefined || remote.startsWith('file:') ? undefined : `https://${host}/${path}`;
}

/** Returns the public address of the repository: that of the environment, of the CI that runs this, or of the remote. */
export function addressOf(env: Environment, remote: string): string | undefined {
  const { REPOSITORY_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = env;
  const byCi = GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : CI_PROJECT_URL;
  return httpsOf(REPOSITORY_URL ?? byCi ?? remote);
}

type Exports = Readonly<Record<string, string | { readonly source?: string }>>;

/** Returns the entry points without the condition `source`: a package holds no sources. */
const builtExports = (exports: Exports): Exports =>
  Object.fromEntries(
    Object.entries(exports).map(([door, target]) => {
      if (typeof target === 'string') return [door, target];
      const { source, ...built } = target;
      return [door, built];
    }),
  );

/** Returns package.json as it is published, with the addresses that readers of a registry look for. */
export const releasedManifest = (manifest: { readonly exports: Exports }, address: string | undefined): object => ({
  ...manifest,
  exports: builtExports(manifest.exports),
  ...(address !== undefined && {
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
  }),
});

/** Returns one sentence for each reason why a commit cannot be published, with what to do. */
export function obstacles({ version, changelog, tags, isChanged, address, env }: Candidate): readonly string[] {
  const isTold = changelog.split('\n').some((line) => line.split(' ', 2).join(' ') === `## ${version}`);
  const hasIdentity = Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? env.SIGSTORE_ID_TOKEN);
  return [
    ...(address === undefined
      ? ['no address of the repository is known: set REPOSITORY_URL, or a git remote "origin" with a host']
      : []),
    ...(isChanged ? ['files differ from the commit: commit them'] : []),
    ...(tags.includes(`v${version}`) ? [] : [`the commit has no tag v${version}: git tag v${version}`]),
    ...(isTold ? [] : [`CHANGELOG.md has no heading "## ${version}": give what is under "Unreleased" that heading`]),
    ...(hasIdentity
      ? []
      : [
          'provenance needs the identity of a CI job: publish from GitHub (permission id-token: write) or GitLab (SIGSTORE_ID_TOKEN)',
        ]),
  ];
}
