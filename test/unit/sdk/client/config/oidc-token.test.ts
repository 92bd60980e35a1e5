import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createOidcToken } from '../../../../../sdk/client/config/oidc-token.ts';
import { pluginCredentials } from '../../../../../sdk/client/config/plugin-credentials.ts';
import { systemClock } from '../../../../../sdk/clock.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createAuthority } from '../../../../cluster/pki/certificate.ts';
import { aFolder } from '../../../a-folder.ts';
import { usual } from '../usual-options.ts';

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
const tokenUntil = (exp: number, claims: object = {}) =>
  `${encoded({ alg: 'RS256' })}.${encoded({ ...claims, exp })}.c2ln`;

/** An issuer over TLS that renews tokens for an hour; `asked` are its requests. */
async function anIssuer(t: ExecutionContext, { withoutToken = false } = {}) {
  const authority = await createAuthority(Date.now());
  const { certificate: cert, key } = authority.issue(['127.0.0.1']);
  const asked: string[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const claims = { iss: issuer(), sub: 'jane', aud: 'us', iat: seconds() };
    asked.push(`${request.url} ${await text(request)}`);
    const granted = { access_token: 'a', token_type: 'bearer', refresh_token: `r${asked.length}`, expires_in: 3600 };
    const token = tokenUntil(seconds() + 3600, { ...claims, number: asked.length });
    const grant = { ...granted, ...(!withoutToken && { id_token: token }) };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(request.url === '/token' ? grant : { issuer: issuer(), token_endpoint: `${issuer()}/token` }),
    );
  });
  const issuer = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  const config = {
    'id-token': tokenUntil(1),
    'client-id': 'us',
    'refresh-token': 'r0',
    'idp-issuer-url': issuer(),
    'idp-certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
  };
  return { config, asked, certificate: authority.certificate };
}

test('a token is sent while it is valid, without a request to the issuer', async (t) => {
  const token = tokenUntil(seconds() + 3600);
  t.is(await createOidcToken({ 'id-token': token }, systemClock)(), token);
});

test('an expired token is renewed at its issuer, under the CA that is configured, and the new one is kept', async (t) => {
  const { config, asked } = await anIssuer(t);
  const tokenOf = createOidcToken(config, systemClock);
  const token = await tokenOf();
  t.is(await tokenOf(), token);
  t.deepEqual(asked, [
    '/.well-known/openid-configuration ',
    '/token refresh_token=r0&grant_type=refresh_token&client_id=us',
  ]);
});

test('the next renewal uses the refresh token of the last one; secret and CA may come from a file', async (t) => {
  const { config, asked, certificate } = await anIssuer(t);
  const { 'idp-certificate-authority-data': _, ...rest } = config;
  const folder = await aFolder(t, { ca: certificate });
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const tokenOf = createOidcToken(
    { ...rest, 'client-secret': 's', 'idp-certificate-authority': `${folder}/ca` },
    clock,
  );
  const first = await tokenOf();
  ahead = 3_595_000;
  t.not(await tokenOf(), first, 'ten seconds before it expires');
  const grants = asked.filter((one) => one.startsWith('/token')).map((one) => new URLSearchParams(one.slice(7)));
  t.deepEqual(
    grants.map((grant) => [grant.get('refresh_token'), grant.get('client_secret')]),
    [
      ['r0', 's'],
      ['r2', 's'],
    ],
  );
});

test('what keeps a token from being renewed is said', async (t) => {
  const { config } = await anIssuer(t, { withoutToken: true });
  const { 'idp-certificate-authority-data': _, ...untrusted } = config;
  const cases: readonly (readonly [object, RegExp])[] = [
    [{}, /no refresh-token/],
    [{ 'refresh-token': 'r' }, /idp-issuer-url or client-id is missing/],
    [{ ...config, 'idp-issuer-url': 'own' }, /Invalid URL/],
    [config, /without an id_token/],
    [untrusted, /fetch failed/],
  ];
  for (const [given, message] of cases) await t.throwsAsync(createOidcToken(given, systemClock)(), { message });
});

test('as a plug-in of a kubeconfig, its failure is reported with its name', async (t) => {
  const selected = { context: 'c', namespace: undefined, cluster: { server: 'https://a' } };
  const credentialsOf = (config: Readonly<Record<string, string>>) =>
    pluginCredentials({
      selected: { ...selected, user: { 'auth-provider': { name: 'oidc', config } } },
      tls: {},
      headers: {},
      clock: systemClock,
    });
  const token = tokenUntil(seconds() + 3600);
  t.deepEqual((await credentialsOf({ 'id-token': token })(usual)).headers, { authorization: `Bearer ${token}` });
  const failing = async () => credentialsOf({ 'id-token': 'none' })(usual);
  const error = await t.throwsAsync(failing, {
    instanceOf: UserError,
    message: /auth provider "oidc" failed: its id-/,
  });
  t.is(error?.code, 'E#1007');
});
