/** Credentials from exec plug-ins and auth providers. */

import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Connection, Credentials, TlsOptions } from './connection.ts';
import type { Selected } from './kubeconfig.ts';
import { createOidcToken, type OidcConfig } from './oidc-token.ts';

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

/** ms after which a plug-in runs again. */
const cacheTime = 10_000;
/** ms within which refused calls share one renewal. */
const renewalInterval = 1_000;

/** Returns a kubeconfig of one context, as JSON, which is valid YAML. */
const kubeconfigText = ({ cluster, user }: Selected): string =>
  JSON.stringify({
    clusters: [{ name: 'only', cluster }],
    users: [{ name: 'only', user }],
    contexts: [{ name: 'only', context: { cluster: 'only', user: 'only' } }],
    'current-context': 'only',
  });

const nameOf = ({ exec, 'auth-provider': provider }: Selected['user']): string =>
  exec === undefined ? `auth provider "${provider?.name}"` : `credential plug-in "${exec.command}"`;

/** Returns the credentials of a plug-in; `renew` after the server has refused the last ones. */
type Plugin = (renew: boolean) => Promise<PluginAnswer>;

/** Returns a plug-in that @kubernetes/client-node runs and whose credentials it caches until they expire. */
function clientNodePlugin(selected: Selected): Plugin {
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
    const answer: PluginAnswer = {};
    await config.applyToHTTPSOptions(answer as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    return answer;
  };
}

function oidcPlugin(config: OidcConfig, clock: Clock): Plugin {
  const token = createOidcToken(config, clock);
  return async () => ({ headers: { Authorization: `Bearer ${await token()}` } });
}

function pluginOf(selected: Selected, clock: Clock): Plugin {
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
  let asked: { readonly at: number; readonly answer: Promise<Credentials> } | undefined;

  const answered = async (renew: boolean): Promise<PluginAnswer> => {
    const answer = await plugin(renew);
    const { cert, headers: { Authorization: authorization } = {} } = answer;
    if (authorization !== undefined || cert !== undefined) return answer;
    throw new Error('it gave neither a token nor a certificate');
  };

  const ask = async (renew: boolean): Promise<Credentials> => {
    try {
      const { cert = tls.cert, key = tls.key, headers: { Authorization: authorization } = {} } = await answered(renew);
      return {
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
        tls: { ...tls, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
      };
    } catch (cause) {
      asked = undefined;
      throw new UserError('E#1007', `${nameOf(selected.user)} failed: ${messageOf(cause)}`, {
        cause,
        hint: 'run it by hand, as `exec` or `auth-provider` of the kubeconfig says; or try `kubectl get --raw /version` with the same kubeconfig',
      });
    }
  };

  return ({ renew }) => {
    const age = asked === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - asked.at;
    if (age < (renew ? renewalInterval : cacheTime) && asked !== undefined) return asked.answer;
    asked = { at: clock.monotonic(), answer: ask(renew) };
    return asked.answer;
  };
}
