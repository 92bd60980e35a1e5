/** Credentials from exec plug-ins and auth providers. */

import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../../clock.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { Connection, Credentials, TlsOptions } from './connection.ts';
import type { Selected } from './kubeconfig.ts';

/** Options of {@link pluginCredentials}. */
export interface PluginOptions {
  readonly selected: Selected;
  readonly tls: TlsOptions;
  /** Headers sent in addition to the plug-in's. */
  readonly headers: Credentials['headers'];
  readonly clock: Clock;
}

/** Request options that a plug-in fills in. */
interface PluginAnswer {
  headers?: Record<string, string>;
  cert?: TlsOptions['cert'];
  key?: TlsOptions['key'];
}

/** ms after which a plug-in is asked again; it caches its credentials until they expire. */
const keptFor = 10_000;
/** ms within which refused calls share one renewal. */
const renewedFor = 1_000;

/** Writes one context as a kubeconfig of its own; JSON is YAML. */
const kubeconfigOf = ({ cluster, user }: Selected): string =>
  JSON.stringify({
    clusters: [{ name: 'only', cluster }],
    users: [{ name: 'only', user }],
    contexts: [{ name: 'only', context: { cluster: 'only', user: 'only' } }],
    'current-context': 'only',
  });

const nameOf = ({ exec, 'auth-provider': provider }: Selected['user']): string =>
  exec === undefined ? `auth provider "${provider?.name}"` : `credential plug-in "${exec.command}"`;

/**
 * Returns credentials of client-node's authenticators: exec plug-ins, OIDC and vendors' providers. The plug-in runs with the first request.
 * @throws UserError E#1007
 */
export function pluginCredentials({ selected, tls, headers, clock }: PluginOptions): Connection['credentials'] {
  let config: KubeConfig | undefined;
  let asked: { readonly at: number; readonly answer: Promise<Credentials> } | undefined;

  const load = async (): Promise<KubeConfig> => {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const loaded = new KubeConfig();
    loaded.loadFromString(kubeconfigOf(selected));
    return loaded;
  };

  const ask = async (): Promise<Credentials> => {
    const applied: PluginAnswer = {};
    try {
      config ??= await load();
      await config.applyToHTTPSOptions(applied as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    } catch (cause) {
      asked = undefined;
      throw new UserError('E#1007', `${nameOf(selected.user)} failed: ${messageOf(cause)}`, {
        cause,
        hint: 'run it by hand, as `exec` or `auth-provider` of the kubeconfig says; or try `kubectl get --raw /version` with the same kubeconfig',
      });
    }
    const { cert = tls.cert, key = tls.key, headers: { Authorization: authorization } = {} } = applied;
    return {
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      tls: { ...tls, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    };
  };

  return ({ renew }) => {
    const age = asked === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - asked.at;
    if (age < (renew ? renewedFor : keptFor) && asked !== undefined) return asked.answer;
    if (renew) config = undefined;
    asked = { at: clock.monotonic(), answer: ask() };
    return asked.answer;
  };
}
