/** Options of previews and their validation. */

import type { CodeHost } from '../code-host/code-host.ts';
import { optionChecks } from '../option-checks.ts';
import { mistakeInTemplate } from './manifest.ts';
import type { PreviewTemplate } from './template.ts';

/** Options of {@link previews}. */
export interface PreviewOptions {
  /** Code host with the pull requests: `gitHub({ … })`, `gitea({ … })` or `gitLab({ … })`. */
  readonly host: CodeHost;
  /** Repositories, `owner/name`; at GitLab with all groups. */
  readonly repositories: readonly string[];
  /** Workspace of each pull request. */
  readonly template: PreviewTemplate;
  /** Server for webhooks. @default none: pull requests are looked for at intervals only */
  readonly webhook?: {
    /** 0 picks any free one. */
    readonly port: number;
    /** Address to listen on. @default all addresses of the machine */
    readonly address?: string;
    /** @default '/webhook' */
    readonly path?: string;
  };
  /** Maximum interval in ms between two reads of all pull requests of a repository, shortened by up to a quarter. @default 300 000 */
  readonly interval?: number;
  /** Most previews of a repository. @default 20 */
  readonly limit?: number;
  /** ms after the last push, or `/preview`, until a preview is deleted. @default never */
  readonly ttl?: number;
  /** ms after the last change of the pull request, comments included, until its preview is deleted. @default never */
  readonly idle?: number;
  /** Label that a maintainer sets on the pull request of a fork, so that it gets a preview. @default 'preview' */
  readonly forkLabel?: string;
  /** Context of the commit statuses. @default 'preview' */
  readonly statusContext?: string;
}

/** {@link PreviewOptions} with their defaults. */
export interface CheckedPreviewOptions
  extends Required<Omit<PreviewOptions, 'webhook' | 'ttl' | 'idle'>>,
    Pick<PreviewOptions, 'webhook'> {
  readonly ttl: number | undefined;
  readonly idle: number | undefined;
}

const known = [
  'host',
  'repositories',
  'template',
  'webhook',
  'interval',
  'limit',
  'ttl',
  'idle',
  'forkLabel',
  'statusContext',
] as const;

const { refuse, members, wholeNumber } = optionChecks('previews') as ReturnType<typeof optionChecks>;

/** Longest time in ms that an option may name: a year. */
const maxMs = 366 * 86_400_000;

const repositoryPattern = /^[\w.-]{1,100}(\/[\w.-]{1,100}){1,20}$/;

function checkedRepositories(repositories: unknown): readonly string[] {
  if (!Array.isArray(repositories) || repositories.length === 0 || repositories.length > 100)
    return refuse('repositories', 'a list of 1 to 100 repositories', repositories ?? 'nothing');
  for (const [index, one] of repositories.entries())
    if (typeof one !== 'string' || !repositoryPattern.test(one)) refuse(`repositories[${index}]`, 'owner/name', one);
  const names = repositories.map((one: string) => one.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? names : refuse('repositories', 'different from each other', twice);
}

function checkedWebhook(webhook: PreviewOptions['webhook']): PreviewOptions['webhook'] {
  if (webhook === undefined) return undefined;
  members('webhook', webhook, ['port', 'address', 'path']);
  wholeNumber('webhook.port', webhook.port, { min: 0, max: 65_535 });
  const { path = '/webhook' } = webhook;
  if (typeof path !== 'string' || !/^\/[\w./-]{0,200}$/.test(path))
    refuse('webhook.path', 'a path such as /webhook', path);
  return webhook;
}

const text = (option: string, value: unknown, most: number): string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !/\p{Cc}/u.test(value)
    ? value
    : refuse(option, `a text of 1 to ${most} characters`, value);

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedPreviewOptions(options: PreviewOptions): CheckedPreviewOptions {
  members('options', options, known);
  const { host, template, interval = 300_000, limit = 20, ttl, idle } = options;
  const { forkLabel = 'preview', statusContext = 'preview' } = options;
  if (typeof host !== 'object' || typeof host?.delivery !== 'function')
    refuse('host', 'a code host: gitHub({ … }), gitea({ … }) or gitLab({ … })');
  if (typeof template !== 'object' || template === null) refuse('template', 'a Workspace', template ?? 'nothing');
  const mistake = mistakeInTemplate(template);
  if (mistake !== undefined) throw new TypeError(`previews: template: ${mistake}`);
  const time = (option: string, value: number | undefined): number | undefined =>
    value === undefined ? undefined : wholeNumber(option, value, { min: 1000, max: maxMs });
  return {
    host,
    repositories: checkedRepositories(options.repositories),
    template,
    webhook: checkedWebhook(options.webhook),
    interval: wholeNumber('interval', interval, { min: 10_000, max: 86_400_000 }),
    limit: wholeNumber('limit', limit, { min: 0, max: 1000 }),
    ttl: time('ttl', ttl),
    idle: time('idle', idle),
    forkLabel: text('forkLabel', forkLabel, 100),
    statusContext: text('statusContext', statusContext, 100),
  };
}
