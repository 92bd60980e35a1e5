/** Parses and merges kubeconfigs and selects a context. */

import { isAbsolute, join } from 'node:path';
import { isJsonObject } from '../../api/json.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';

/** Cluster entry of a kubeconfig; file names are absolute here. */
export interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

/** User entry of a kubeconfig; file names are absolute here. */
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
  readonly 'auth-provider'?: { readonly name?: string; readonly config?: Readonly<Record<string, string>> };
}

/** Context entry of a kubeconfig. */
export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** Context entry with its name. */
interface NamedContext extends ContextEntry {
  readonly name: string;
}

type Entries<T> = ReadonlyMap<string, T>;

/** One kubeconfig, or several merged. */
export interface Kubeconfig {
  /** Source of the kubeconfig, for messages. */
  readonly source: string;
  readonly currentContext: string | undefined;
  readonly contexts: Entries<ContextEntry>;
  readonly clusters: Entries<ClusterEntry>;
  readonly users: Entries<UserEntry>;
}

/** Cluster, user and namespace of a selected context. */
export interface SelectedContext {
  readonly context: string;
  readonly namespace: string | undefined;
  readonly cluster: ClusterEntry & { readonly server: string };
  readonly user: UserEntry;
}

type Fields = Readonly<Record<string, unknown>>;

const fileFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Resolves file names against the folder of the kubeconfig; an exec plug-in's command only if it contains a slash, as kubectl does. */
function withAbsolutePaths(entry: Fields, folder: string): Fields {
  const from = (name: unknown): unknown => (typeof name === 'string' && !isAbsolute(name) ? join(folder, name) : name);
  const files = fileFields.filter((field) => entry[field]).map((field) => [field, from(entry[field])]);
  const { exec } = entry;
  const program = isJsonObject(exec) &&
    /[/\\]/.test(String(exec.command)) && { exec: { ...exec, command: from(exec.command) } };
  return { ...entry, ...Object.fromEntries(files), ...program };
}

const invalidKubeconfig = (source: string, problem: string, cause?: unknown): UserError =>
  new UserError('E#1002', `kubeconfig ${source}: ${problem}`, { cause, hint: 'see `kubectl config view`' });

/** Source of a kubeconfig's text. */
export interface KubeconfigOrigin {
  readonly source: string;
  /** Folder against which relative file names are resolved. */
  readonly folder: string;
}

/** Parses the text of one kubeconfig, YAML or JSON. @throws UserError E#1002, with line and column */
export async function parseKubeconfig(text: string, origin: KubeconfigOrigin): Promise<Kubeconfig> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined)
    throw invalidKubeconfig(origin.source, (error.message.split('\n')[0] ?? '').replace(/:$/, ''), error);
  return kubeconfigOf(contentOf(document, origin) ?? {}, origin);
}

/** Returns the content of a document. @throws UserError E#1002 for aliases without an anchor, or too many */
function contentOf(document: { toJS(): unknown }, { source }: KubeconfigOrigin): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw invalidKubeconfig(source, messageOf(error), error);
  }
}

/** Returns the kubeconfig of its parsed content. @throws UserError E#1002 */
export function kubeconfigOf(root: unknown, { source, folder }: KubeconfigOrigin): Kubeconfig {
  if (!isJsonObject(root)) throw invalidKubeconfig(source, 'holds no YAML mapping');

  const entries = (list: string, member: string): Entries<Fields> => {
    const found = root[list] ?? [];
    if (!Array.isArray(found)) throw invalidKubeconfig(source, `"${list}" is not a list`);
    return new Map(
      found.map((entry: unknown, index) => {
        if (!isJsonObject(entry) || typeof entry.name !== 'string')
          throw invalidKubeconfig(source, `${list}[${index}] has no name`);
        const value = entry[member] ?? {};
        if (!isJsonObject(value)) throw invalidKubeconfig(source, `${list}[${index}].${member} is not a mapping`);
        return [entry.name, withAbsolutePaths(value, folder)];
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

const mergeEntries = <T>(parts: readonly Entries<T>[]): Entries<T> =>
  new Map(parts.toReversed().flatMap((entries) => [...entries]));

/** Merges kubeconfigs: of entries with the same name, and of current contexts, the first wins. */
export const mergeKubeconfigs = (parts: readonly Kubeconfig[]): Kubeconfig => ({
  source: parts.map(({ source }) => source).join(', '),
  currentContext: parts.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  contexts: mergeEntries(parts.map(({ contexts }) => contexts)),
  clusters: mergeEntries(parts.map(({ clusters }) => clusters)),
  users: mergeEntries(parts.map(({ users }) => users)),
});

const namesOf = (entries: Entries<unknown>): string => [...entries.keys()].join(', ') || 'none';

/** Returns a context by its name. @throws UserError E#1003 without a name, or for an unknown one */
function contextNamed({ source, contexts }: Kubeconfig, name: string | undefined): NamedContext {
  const found = name === undefined ? undefined : contexts.get(name);
  if (name !== undefined && found !== undefined) return { name, ...found };
  const problem = name === undefined ? 'no context is selected' : `there is no context "${name}"`;
  throw new UserError('E#1003', `kubeconfig ${source}: ${problem}`, {
    hint: `name one of its contexts: ${namesOf(contexts)}`,
  });
}

const isHttpUrl = (server: string): boolean => /^https?:$/.test(URL.parse(server)?.protocol ?? '');

/** Returns the named context, by default the current one. @throws UserError E#1003 for the context, E#1004 for its cluster or user */
export function selectContext(config: Kubeconfig, contextName: string | undefined): SelectedContext {
  const { source, clusters, users } = config;
  const { name: context, ...found } = contextNamed(config, contextName ?? config.currentContext);
  const invalidContext = (problem: string, entries: Entries<unknown>): UserError =>
    new UserError('E#1004', `kubeconfig ${source}: context "${context}" ${problem}`, {
      hint: `fix the context or what it points at: there are ${namesOf(entries)}`,
    });
  const cluster = clusters.get(found.cluster ?? '');
  if (cluster === undefined) throw invalidContext(`points at cluster "${found.cluster}", which is not there`, clusters);
  const { server } = cluster;
  if (!server || !isHttpUrl(server))
    throw invalidContext(
      `points at cluster "${found.cluster}", whose server is ${JSON.stringify(server)} and not an http(s) URL`,
      clusters,
    );
  const user = found.user ? users.get(found.user) : {};
  if (user === undefined) throw invalidContext(`points at user "${found.user}", which is not there`, users);
  return { context, namespace: found.namespace, cluster: { ...cluster, server }, user };
}
