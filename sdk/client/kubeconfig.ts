import { isAbsolute, join } from 'node:path';
import { UserError } from '../errors.ts';

/** How a kubeconfig describes a server; file names are absolute here. */
export interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

/** How a kubeconfig says who we are; file names are absolute here. */
export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly exec?: { readonly command?: string };
  readonly 'auth-provider'?: { readonly name?: string };
}

interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

type Entries<T> = ReadonlyMap<string, T>;

/** One kubeconfig, or several joined. */
export interface Kubeconfig {
  /** Where it was read from, for messages. */
  readonly source: string;
  readonly currentContext: string | undefined;
  readonly contexts: Entries<ContextEntry>;
  readonly clusters: Entries<ClusterEntry>;
  readonly users: Entries<UserEntry>;
}

/** What one context of a kubeconfig points at. */
export interface Selected {
  readonly context: string;
  readonly namespace: string | undefined;
  readonly cluster: ClusterEntry & { readonly server: string };
  readonly user: UserEntry;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fileFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** File names count from the folder of the kubeconfig; so does a plug-in's command, when it names a folder at all. */
function absolute(entry: Fields, folder: string): Fields {
  const from = (name: unknown): unknown => (typeof name === 'string' && !isAbsolute(name) ? join(folder, name) : name);
  const files = fileFields.filter((field) => entry[field]).map((field) => [field, from(entry[field])]);
  const { exec } = entry;
  const program = isFields(exec) &&
    /[/\\]/.test(String(exec.command)) && { exec: { ...exec, command: from(exec.command) } };
  return { ...entry, ...Object.fromEntries(files), ...program };
}

const wrong = (source: string, problem: string, cause?: unknown): UserError =>
  new UserError('E#1002', `kubeconfig ${source}: ${problem}`, { cause, hint: 'see `kubectl config view`' });

/** Where a kubeconfig's text comes from. */
export interface KubeconfigOrigin {
  readonly source: string;
  /** What relative file names in it count from. */
  readonly folder: string;
}

/** Reads the text of one kubeconfig, YAML or JSON. @throws UserError E#1002, with line and column */
export async function parseKubeconfig(text: string, { source, folder }: KubeconfigOrigin): Promise<Kubeconfig> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw wrong(source, (error.message.split('\n')[0] ?? '').replace(/:$/, ''), error);
  const root: unknown = document.toJS() ?? {};
  if (!isFields(root)) throw wrong(source, 'holds no YAML mapping');

  const entries = (list: string, member: string): Entries<Fields> => {
    const found = root[list] ?? [];
    if (!Array.isArray(found)) throw wrong(source, `"${list}" is no list`);
    return new Map(
      found.map((entry: unknown, index) => {
        if (!isFields(entry) || typeof entry.name !== 'string') throw wrong(source, `${list}[${index}] has no name`);
        const value = entry[member] ?? {};
        if (!isFields(value)) throw wrong(source, `${list}[${index}].${member} is no mapping`);
        return [entry.name, absolute(value, folder)];
      }),
    );
  };
  const current = root['current-context'];
  return {
    source,
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
    contexts: entries('contexts', 'context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
  };
}

const joined = <T>(parts: readonly Entries<T>[]): Entries<T> =>
  new Map(parts.toReversed().flatMap((entries) => [...entries]));

/** Several kubeconfigs as one: of entries with the same name, and of current contexts, the first counts. */
export const joinKubeconfigs = (parts: readonly Kubeconfig[]): Kubeconfig => ({
  source: parts.map(({ source }) => source).join(', '),
  currentContext: parts.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  contexts: joined(parts.map(({ contexts }) => contexts)),
  clusters: joined(parts.map(({ clusters }) => clusters)),
  users: joined(parts.map(({ users }) => users)),
});

const known = (entries: Entries<unknown>): string => [...entries.keys()].join(', ') || 'none';

/** What a context points at; the current one unless named. @throws UserError E#1003 for the context, E#1004 for what it points at */
export function selectContext(config: Kubeconfig, wanted: string | undefined): Selected {
  const { source, contexts, clusters, users } = config;
  const context = wanted ?? config.currentContext;
  if (context === undefined)
    throw new UserError('E#1003', `kubeconfig ${source}: no context is selected`, {
      hint: `name one of its contexts: ${known(contexts)}`,
    });
  const found = contexts.get(context);
  if (found === undefined)
    throw new UserError('E#1003', `kubeconfig ${source}: there is no context "${context}"`, {
      hint: `its contexts: ${known(contexts)}`,
    });
  const broken = (problem: string): UserError =>
    new UserError('E#1004', `kubeconfig ${source}: context "${context}" ${problem}`);
  const cluster = clusters.get(found.cluster ?? '');
  if (cluster === undefined) throw broken(`points at cluster "${found.cluster}", which is not there`);
  const { server } = cluster;
  if (!server || !/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw broken(
      `points at cluster "${found.cluster}", whose server is ${JSON.stringify(server)} and not an http(s) URL`,
    );
  const user = found.user ? users.get(found.user) : {};
  if (user === undefined) throw broken(`points at user "${found.user}", which is not there`);
  return { context, namespace: found.namespace, cluster: { ...cluster, server }, user };
}
