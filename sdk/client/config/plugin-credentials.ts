/** Credentials from exec plug-ins and auth providers. */

import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Connection, Credentials, TlsOptions } from './connection.ts';
import type { SelectedContext } from './kubeconfig.ts';
import { createOidcToken, type OidcConfig } from './oidc-token.ts';

/** Options of {@link pluginCredentials}. */
export interface PluginOptions {
  readonly selected: SelectedContext;
  readonly tls: TlsOptions;
  /** Headers sent in addition to the plug-in's. */
  readonly headers: Credentials['headers'];
  readonly clock: Clock;
}

/** Credentials of a plug-in, as the request options that client-node fills in. */
interface PluginCredentials {
  headers?: Record<string, string>;
  cert?: TlsOptions['cert'];
  key?: TlsOptions['key'];
}

/** ms for which credentials are cached. */
const cacheTime = 10_000;
/** ms within which calls that got a 401 share one renewal. */
const renewalInterval = 1_000;

/** Returns a kubeconfig of one context, as JSON, which is valid YAML. */
const kubeconfigText = ({ cluster, user }: SelectedContext): string =>
  JSON.stringify({
    clusters: [{ name: 'only', cluster }],
    users: [{ name: 'only', user }],
    contexts: [{ name: 'only', context: { cluster: 'only', user: 'only' } }],
    'current-context': 'only',
  });

const nameOf = ({ exec, 'auth-provider': provider }: SelectedContext['user']): string =>
  exec === undefined ? `auth provider "${provider?.name}"` : `credential plug-in "${exec.command}"`;

/** Returns the credentials of a plug-in; `renew`: the server rejected the last ones (401). */
type Plugin = (renew: boolean) => Promise<PluginCredentials>;

/** Returns a plug-in that @kubernetes/client-node runs and whose credentials it caches until they expire. */
function clientNodePlugin(selected: SelectedContext): Plugin {
  let config: KubeConfig | undefined;
  const load = async (): Promise<KubeConfig> => {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const loaded = new KubeConfig();
    loaded.loadFromString(kubeconfigText(selected));
    return loaded;
  };
  return async (renew) => {
    if (renew) config = undefined;
    config ??= await load();
    const requestOptions: PluginCredentials = {};
    await config.applyToHTTPSOptions(requestOptions as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    return requestOptions;
  };
}

function oidcPlugin(config: OidcConfig, clock: Clock): Plugin {
  const token = createOidcToken(config, clock);
  return async () => ({ headers: { Authorization: `Bearer ${await token()}` } });
}

function pluginOf(selected: SelectedContext, clock: Clock): Plugin {
  const { exec, 'auth-provider': provider } = selected.user;
  const isOidc = exec === undefined && provider?.name === 'oidc';
  return isOidc ? oidcPlugin(provider.config ?? {}, clock) : clientNodePlugin(selected);
}

/**
 * Returns credentials of plug-ins: exec plug-ins and vendors' providers as @kubernetes/client-node runs them, OIDC by openid-client. The plug-in runs
 * with the first request.
 * @throws UserError E#1007
 */
export function pluginCredentials({ selected, tls, headers, clock }: PluginOptions): Connection['credentials'] {
  const plugin = pluginOf(selected, clock);
  let cached: { readonly at: number; readonly credentials: Promise<Credentials> } | undefined;

  const runPlugin = async (renew: boolean): Promise<PluginCredentials> => {
    const provided = await plugin(renew);
    const { cert, headers: { Authorization: authorization } = {} } = provided;
    if (authorization !== undefined || cert !== undefined) return provided;
    throw new Error('it gave neither a token nor a certificate');
  };

  const requestCredentials = async (renew: boolean): Promise<Credentials> => {
    try {
      const { cert = tls.cert, key = tls.key, headers: { Authorization: authorization } = {} } = await runPlugin(renew);
      return {
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
        tls: { ...tls, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
      };
    } catch (cause) {
      cached = undefined;
      throw new UserError('E#1007', `${nameOf(selected.user)} failed: ${messageOf(cause)}`, {
        cause,
        hint: 'run it by hand, as `exec` or `auth-provider` of the kubeconfig says; or try `kubectl get --raw /version` with the same kubeconfig',
      });
    }
  };

  return ({ renew }) => {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - cached.at;
    if (age < (renew ? renewalInterval : cacheTime) && cached !== undefined) return cached.credentials;
    cached = { at: clock.monotonic(), credentials: requestCredentials(renew) };
    return cached.credentials;
  };
}
