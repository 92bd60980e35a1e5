/**
 * GitHub as a code host of previews: REST API, and webhooks signed with HMAC-SHA256.
 *
 * @packageDocumentation
 */

import { systemClock } from '../../sdk/index.ts';
import { codeHostApi } from '../code-host/api.ts';
import { type CodeHost, UnsignedDeliveryError } from '../code-host/code-host.ts';
import { type CodeHostOptions, checkedCodeHostOptions, headerOf, readDelivery } from '../code-host/options.ts';
import { withRateLimits } from '../code-host/rate-limits.ts';
import { vendorLibrary } from '../vendor-library.ts';

export type {
  CodeHost,
  CommentPlace,
  CommitPlace,
  CommitStatus,
  PullRequest,
  PullRequestComment,
  PullRequestPlace,
  WebhookDelivery,
  WebhookRequest,
} from '../code-host/code-host.ts';
export { UnsignedDeliveryError } from '../code-host/code-host.ts';
export type { CodeHostOptions } from '../code-host/options.ts';

const advice = {
  401: 'check option token',
  403: 'check option token: it needs Pull requests and Commit statuses: write, and Metadata: read',
  404: 'check the name of the repository, and that the token may see it',
};

/**
 * Connects previews to GitHub, or to a GitHub Enterprise Server by `url`. Webhooks need the package `@octokit/webhooks-methods`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function gitHub(options: CodeHostOptions): CodeHost {
  const {
    token,
    secret,
    name,
    clock = systemClock,
    fetch,
    ...rest
  } = checkedCodeHostOptions('gitHub', options, {
    url: 'https://api.github.com',
    name: 'github.com',
  });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'workspace-sequencer',
  };
  return {
    name,
    secrets: [token, ...(secret === undefined ? [] : [secret])],
    endpoints: [rest.url],
    ...codeHostApi({
      ...rest,
      vendor: 'GitHub',
      headers,
      sizeParameter: 'per_page',
      advice,
      clock,
      fetch: withRateLimits(fetch, clock, 'x-ratelimit'),
    }),
    async delivery(request) {
      if (secret === undefined) throw new UnsignedDeliveryError('option secret is not set: no delivery is accepted');
      const load = () => import('@octokit/webhooks-methods');
      const { verify } = await vendorLibrary('@octokit/webhooks-methods', 'integrations/github', load);
      const [body, signature] = [request.body.toString('utf8'), headerOf(request, 'x-hub-signature-256')];
      if (body === '' || signature === undefined || !(await verify(secret, body, signature)))
        throw new UnsignedDeliveryError('the signature is missing or wrong: the webhook and option secret differ');
      return readDelivery(request, 'x-github-delivery');
    },
  };
}
