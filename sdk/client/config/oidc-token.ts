/** Tokens of an OIDC provider, renewed at their issuer (kubectl's auth provider `oidc`). */

import type { CustomFetch } from 'openid-client';
import type { Clock } from '../../clock.ts';
import { pemOf } from './credential-file.ts';

/** Configuration of the auth provider, as kubectl writes it. */
export interface OidcConfig {
  readonly 'id-token'?: string;
  readonly 'refresh-token'?: string;
  readonly 'client-id'?: string;
  readonly 'client-secret'?: string;
  readonly 'idp-issuer-url'?: string;
  readonly 'idp-certificate-authority'?: string;
  readonly 'idp-certificate-authority-data'?: string;
}

/** ms before the expiry of a token from which it is renewed, as in client-go. */
const expiryDelta = 10_000;

/** Returns the expiry of a JWT in ms since the epoch; 0 for any other text. */
function expiryOf(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return Number(exp) * 1000 || 0;
  } catch {
    return 0;
  }
}

/** Requests new tokens from the issuer. */
async function refreshTokens(config: OidcConfig, refreshToken: string) {
  const { 'idp-issuer-url': issuer = '', 'client-id': client = '', 'client-secret': secret } = config;
  if (issuer === '' || client === '')
    throw new Error('its id-token has expired, and idp-issuer-url or client-id is missing');
  const [oidc, { Agent, fetch }, ca] = await Promise.all([
    import('openid-client'),
    import('undici'),
    pemOf(config, 'idp-certificate-authority'),
  ]);
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } });
  const customFetch: CustomFetch = async (url, { method, headers, body, signal = null }) => {
    const init = { method, headers, body: body?.toString() ?? null, signal };
    const response = await fetch(url, { ...init, dispatcher, redirect: 'manual' });
    const { status } = response;
    return new Response(await response.arrayBuffer(), { status, headers: Object.fromEntries(response.headers) });
  };
  try {
    const authentication = secret ? oidc.ClientSecretPost(secret) : oidc.None();
    const options = { [oidc.customFetch]: customFetch };
    const server = await oidc.discovery(new URL(issuer), client, undefined, authentication, options);
    return await oidc.refreshTokenGrant(server, refreshToken);
  } finally {
    await dispatcher.close();
  }
}

/**
 * Returns a function that returns a valid token: the configured one until shortly before it expires, then a renewed one of the issuer. Renewed refresh
 * tokens are kept in memory and not written to the kubeconfig. Loads openid-client with the first renewal. @throws Error when the token has expired and
 * cannot be renewed
 */
export function createOidcToken(config: OidcConfig, clock: Pick<Clock, 'now'>): () => Promise<string> {
  let { 'id-token': token = '', 'refresh-token': refreshToken = '' } = config;
  return async () => {
    if (clock.now() < expiryOf(token) - expiryDelta) return token;
    if (refreshToken === '') throw new Error('its id-token has expired, and there is no refresh-token');
    const grant = await refreshTokens(config, refreshToken);
    if (grant.id_token === undefined) throw new Error('the issuer responded without an id_token');
    token = grant.id_token;
    refreshToken = grant.refresh_token ?? refreshToken;
    return token;
  };
}
