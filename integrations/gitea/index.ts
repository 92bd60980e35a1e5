/**
 * Gitea, and Forgejo, as a code host of previews: API v1, and webhooks signed with HMAC-SHA256.
 *
 * @packageDocumentation
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { codeHostApi } from '../code-host/api.ts';
import { type CodeHost, UnsignedDeliveryError } from '../code-host/code-host.ts';
import { type CodeHostOptions, checkedCodeHostOptions, headerOf, readDelivery } from '../code-host/options.ts';

export type { CodeHost } from '../code-host/code-host.ts';
export type { CodeHostOptions } from '../code-host/options.ts';

const advice = {
  401: 'check option token',
  403: 'check option token: it needs the scopes write:issue, write:repository and read:user, of an administrator of the repository',
  404: 'check the name of the repository, option url, and that the user of the token may see it',
};

/** Reports whether a body was signed with a secret, in constant time. */
function isSigned(body: Buffer, secret: string, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return /^[0-9a-f]{64}$/.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}

/**
 * Connects previews to Gitea by option `url`, `https://HOST/api/v1`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function gitea(options: CodeHostOptions): CodeHost {
  const { token, secret, name, ...rest } = checkedCodeHostOptions('gitea', options, undefined);
  const headers = { authorization: `token ${token}` };
  return {
    name,
    secrets: [token, ...(secret === undefined ? [] : [secret])],
    endpoints: [rest.url],
    ...codeHostApi({ ...rest, vendor: 'Gitea', headers, sizeParameter: 'limit', advice }),
    async delivery(request) {
      if (secret === undefined) throw new UnsignedDeliveryError('option secret is not set: no delivery is accepted');
      const signature = headerOf(request, 'x-gitea-signature');
      if (signature === undefined || !isSigned(request.body, secret, signature))
        throw new UnsignedDeliveryError('the signature is missing or wrong: the webhook and option secret differ');
      return readDelivery(request, 'x-gitea-delivery');
    },
  };
}
