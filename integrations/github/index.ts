/** GitHub as a code host of previews: REST API, and webhooks signed with HMAC-SHA256. */

import { type Clock, systemClock } from '../../sdk/index.ts';
import { codeHostApi } from '../code-host/api.ts';
import { type CodeHost, UnsignedDeliveryError } from '../code-host/code-host.ts';
import { type CodeHostOptions, checkedCodeHostOptions, headerOf, readDelivery } from '../code-host/options.ts';
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

/** Longest pause in seconds that is taken from a reset of the rate limit: it is an hour. */
const longestPause = 3600;

/**
 * Wraps fetch so that a refusal for the rate limit is a 429 that says how long: GitHub answers 403 too, with Retry-After, or with the time of the
 * reset when nothing remains.
 */
export const withRateLimits =
  (fetch: typeof globalThis.fetch, clock: Clock): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, headers, body } = response;
    if (status !== 403 && status !== 429) return response;
    const [after, remaining, reset] = ['retry-after', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) =>
      headers.get(name),
    );
    const untilReset = Math.ceil(Number(reset) - clock.now() / 1000);
    const pause = after ?? (remaining === '0' ? `${Math.min(longestPause, Math.max(1, untilReset || 60))}` : undefined);
    if (pause === undefined) return response;
    return new Response(body, { status: 429, headers: { 'retry-after': pause } });
  };

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
    ...codeHostApi({
      ...rest,
      vendor: 'GitHub',
      headers,
      sizeParameter: 'per_page',
      advice,
      clock,
      fetch: withRateLimits(fetch, clock),
    }),
    async delivery(request) {
      if (secret === undefined) throw new UnsignedDeliveryError('option secret is not set: no delivery is believed');
      const load = () => import('@octokit/webhooks-methods');
      const { verify } = await vendorLibrary('@octokit/webhooks-methods', 'integrations/github', load);
      const [body, signature] = [request.body.toString('utf8'), headerOf(request, 'x-hub-signature-256')];
      if (body === '' || signature === undefined || !(await verify(secret, body, signature)))
        throw new UnsignedDeliveryError('the signature is missing or wrong: the webhook and option secret differ');
      return readDelivery(request, 'x-github-delivery');
    },
  };
}
