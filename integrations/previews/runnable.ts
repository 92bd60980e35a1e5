/** Runnable that reconciles the previews of some repositories, after webhooks and at intervals. */

import {
  backoffDelay,
  backoffs,
  ConfigMap,
  type ConfiguredRunnable,
  failuresOf,
  messageOf,
  type PolicyRule,
  type Runnable,
  type RunnableHost,
  retryAfterOf,
  runOperator,
  Workspace,
} from '../../sdk/index.ts';
import { namespaceOf, previewManifests } from './manifest.ts';
import type { CheckedPreviewOptions } from './options.ts';
import { PullRequestQueue } from './pull-request-queue.ts';
import {
  type PullRequestSelection,
  type ReconcileContext,
  type ReconcileResult,
  reconcilePreviews,
} from './reconcile-previews.ts';
import { createWebhookServer } from './webhook-server.ts';

/** ms until a pull request whose preview is being deleted is reconciled again. */
const recheck = 5000;

const rule = (group: string, plural: string, ...verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources: [plural],
  verbs,
});

/** Permissions of previews, in their namespace. */
const permissions: readonly PolicyRule[] = [
  rule(Workspace.group, Workspace.plural, 'list', 'create', 'patch', 'delete'),
  rule(ConfigMap.group, ConfigMap.plural, 'get', 'create', 'update'),
];

/** Follows one repository until the signal aborts. */
async function follow(
  context: ReconcileContext,
  queue: PullRequestQueue,
  options: { readonly interval: number; readonly signal: AbortSignal },
) {
  const { clock, logger, repository } = context;
  const { interval, signal } = options;
  let failed = 0;
  let pause = 0;
  queue.add('all');
  for (;;) {
    if (pause > 0) await clock.sleep(pause, signal);
    const selected: PullRequestSelection = await queue.take(clock, interval * (0.75 + Math.random() / 4), signal);
    const result = await reconcilePreviews(context, selected, signal).catch((error: unknown): ReconcileResult => {
      signal.throwIfAborted();
      return { again: selected, failures: [error] };
    });
    queue.add(result.again);
    failed = result.failures.length === 0 ? 0 : failed + 1;
    for (const error of result.failures)
      logger?.warn({ repository, reason: messageOf(error) }, 'previews: reconciliation failed');
    const retryAfter = Math.max(0, ...result.failures.map((error) => retryAfterOf(error) ?? 0));
    pause =
      failed > 0
        ? Math.max(retryAfter, backoffDelay(backoffs.previewLook, failed - 1))
        : result.again === 'all' || result.again.size > 0
          ? recheck
          : 0;
  }
}

/** Returns the context of one repository's reconciliation. */
function contextOf(
  options: CheckedPreviewOptions,
  { client, clock, logger }: RunnableHost,
  repository: string,
): ReconcileContext {
  const { host, template, limit, ttl, idle, forkLabel, statusContext } = options;
  return {
    client,
    clock,
    logger,
    host,
    repository,
    statusContext,
    namespace: namespaceOf(template),
    manifests: previewManifests(template, { host: host.name, repository }),
    rules: { limit, ttl, idle, forkLabel },
    reported: new Map(),
  };
}

/** Creates the parts of previews: one for each repository, and the webhook server. */
function partsOf(options: CheckedPreviewOptions, runnableHost: RunnableHost): readonly Runnable[] {
  const { host, repositories, webhook, interval } = options;
  const queues = new Map(repositories.map((repository) => [repository, new PullRequestQueue()]));
  const parts = [...queues].map(([repository, queue]): Runnable => {
    const context = contextOf(options, runnableHost, repository);
    return { name: `previews of ${repository}`, run: (signal) => follow(context, queue, { interval, signal }) };
  });
  if (webhook === undefined) return parts;
  const onDelivery = ({ repository, number }: { readonly repository: string; readonly number: number }): boolean => {
    queues.get(repository)?.add(number);
    return queues.has(repository);
  };
  return [...parts, createWebhookServer({ ...webhook, ...runnableHost, host, onDelivery })];
}

/** Returns the runnable of previews, for a config. */
export const previewsRunnable = (options: CheckedPreviewOptions): ConfiguredRunnable => ({
  name: 'previews',
  permissions,
  ports: options.webhook === undefined || options.webhook.port === 0 ? [] : [options.webhook.port],
  secrets: options.host.secrets,
  endpoints: options.host.endpoints,
  create: (host) => ({
    name: 'previews',
    async run(signal) {
      const controllers = partsOf(options, host);
      await runOperator({ controllers, signal, clock: host.clock }).catch((error: unknown) => {
        const failures = failuresOf(error);
        throw failures.length === 1 ? failures[0] : error;
      });
    },
  }),
});
