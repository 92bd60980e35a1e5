/**
 * GitLab as a code host of previews: REST API v4, and webhooks with a token or a signature.
 *
 * @packageDocumentation
 */

import { type CodeHost, UnsignedDeliveryError } from '../code-host/code-host.ts';
import { type CodeHostOptions, checkedCodeHostOptions, headerOf, readDelivery } from '../code-host/options.ts';
import { optionChecks } from '../option-checks.ts';
import { gitLabApi } from './api.ts';
import { hookedOf } from './json.ts';
import { bearsToken, gitLabKeyOf, isSignedDelivery } from './webhook.ts';

export type { CodeHost } from '../code-host/code-host.ts';
export type { CodeHostOptions } from '../code-host/options.ts';

/** Options of {@link gitLab}. */
export interface GitLabOptions extends CodeHostOptions {
  /** Signing token of the webhook, `whsec_…`. With `secret`, a request needs both. @default none */
  readonly signingToken?: string;
}

/** Headers with the id of a delivery, which is the same for each attempt; the one of older versions is last. */
const idHeaders = ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'];

/**
 * Connects previews to gitlab.com, or to another GitLab by option `url`, `https://HOST/api/v4`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function gitLab(options: GitLabOptions): CodeHost {
  const usual = { url: 'https://gitlab.com/api/v4', name: 'gitlab.com' };
  const { signingToken, ...others } = options ?? {};
  const checked = checkedCodeHostOptions('gitLab', others, usual);
  const { token, secret, name, clock } = checked;
  const key = gitLabKeyOf(signingToken);
  if (signingToken !== undefined && key === undefined)
    optionChecks('gitLab').refuse('signingToken', 'the signing token of the webhook, whsec_ and base64');
  return {
    name,
    secrets: [token, secret, signingToken].filter((one) => one !== undefined),
    endpoints: [checked.url],
    ...gitLabApi(checked),
    async delivery(request) {
      if (secret === undefined && key === undefined)
        throw new UnsignedDeliveryError('neither option secret nor signingToken is set: no delivery is accepted');
      if (key !== undefined && !isSignedDelivery(request, key, clock))
        throw new UnsignedDeliveryError('the signature is missing, wrong or old: the webhook and signingToken differ');
      if (secret !== undefined && !bearsToken(request, secret))
        throw new UnsignedDeliveryError('the token is missing or wrong: the webhook and option secret differ');
      const idHeader = idHeaders.find((one) => headerOf(request, one) !== undefined) ?? idHeaders[2]!;
      return readDelivery(request, idHeader, hookedOf);
    },
  };
}
