/** Options of code hosts, and shared functions of webhooks. */

import { type Clock, systemClock } from '../../sdk/index.ts';
import { optionChecks, type TextForm } from '../option-checks.ts';
import { UnsignedDeliveryError, type WebhookDelivery, type WebhookRequest } from './code-host.ts';
import { deliveredOf } from './json.ts';

/** Options of {@link gitHub}, {@link gitea} and {@link gitLab}. */
export interface CodeHostOptions {
  /** Token with the rights that the page of the code host names. */
  readonly token: string;
  /** Secret of the webhook, 16 characters or more. @default none: pull requests are looked for at intervals only */
  readonly secret?: string;
  /** Base address of the API. @default that of github.com or gitlab.com; Gitea has none: `https://HOST/api/v1` */
  readonly url?: string;
  /** Login of the token's holder, where the API does not say it: `my-app[bot]` for a GitHub App. @default as the API says */
  readonly login?: string;
  /** ms until a request fails. @default 10 000 */
  readonly deadline?: number;
  /** Maximum number of concurrent requests. @default 4 */
  readonly concurrency?: number;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

const known = ['token', 'secret', 'url', 'login', 'deadline', 'concurrency', 'fetch', 'clock'] as const;

const secretForm: TextForm = {
  pattern: /^[\s\S]{16,4096}$/,
  expected: 'a text of 16 to 4096 characters: it alone proves that a delivery comes from the host',
  isSecret: true,
};
const loginForm: TextForm = { pattern: /^[^\s/]{1,100}$/, expected: 'a login without spaces' };

/** {@link CodeHostOptions} with their defaults. */
export interface CheckedCodeHostOptions extends Required<Omit<CodeHostOptions, 'secret' | 'login'>> {
  readonly secret: string | undefined;
  readonly login: string | undefined;
  /** Authority of the host. */
  readonly name: string;
}

/** Default address of a code host, and its name. */
export interface DefaultHost {
  readonly url: string;
  readonly name: string;
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedCodeHostOptions(
  host: string,
  options: CodeHostOptions,
  defaultHost: DefaultHost | undefined,
): CheckedCodeHostOptions {
  const checks = optionChecks(host);
  checks.members('options', options, known);
  const { secret, login, deadline = 10_000, concurrency = 4, clock = systemClock } = options;
  const { fetch = globalThis.fetch } = options;
  if (secret !== undefined) checks.text('secret', secret, secretForm);
  if (login !== undefined) checks.text('login', login, loginForm);
  if (typeof fetch !== 'function') checks.refuse('fetch', 'a function');
  const url = checks.baseUrl('url', options.url ?? defaultHost?.url);
  return {
    token: checks.headerSecret('token', options.token),
    secret,
    login,
    url,
    name: defaultHost !== undefined && url === defaultHost.url ? defaultHost.name : new URL(url).host,
    deadline: checks.wholeNumber('deadline', deadline, { min: 1, max: 300_000 }),
    concurrency: checks.wholeNumber('concurrency', concurrency, { min: 1, max: 100 }),
    clock,
    fetch,
  };
}

/** Returns the only value of a header; undefined when it is missing, empty or given twice. */
export function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Parses a verified delivery. @throws UnsignedDeliveryError when it is not JSON or has no id */
export function readDelivery(
  request: WebhookRequest,
  idHeader: string,
  aboutOf: typeof deliveredOf = deliveredOf,
): WebhookDelivery | undefined {
  const id = headerOf(request, idHeader);
  if (id === undefined || id.length > 100) throw new UnsignedDeliveryError(`the header ${idHeader} is missing`);
  let payload: unknown;
  try {
    payload = JSON.parse(request.body.toString('utf8'));
  } catch {
    throw new UnsignedDeliveryError('the body is not JSON: set the content type of the webhook to application/json');
  }
  const about = aboutOf(payload);
  return about && { id, ...about };
}
