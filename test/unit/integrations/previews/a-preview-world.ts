/** A GitHub in memory, a cluster in memory, and previews between them, on a manual clock. */

import { gitHub } from '../../../../integrations/github/index.ts';
import { namespaceOf, previewManifests } from '../../../../integrations/previews/manifest.ts';
import { checkedPreviewOptions, type PreviewOptions } from '../../../../integrations/previews/options.ts';
import {
  type PullRequestSelection,
  type ReconcileContext,
  reconcilePreviews,
} from '../../../../integrations/previews/reconcile-previews.ts';
import { previewsRunnable } from '../../../../integrations/previews/runnable.ts';
import { type KubeObject, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { gitHubStandIn } from '../github/stand-in.ts';

export const account = { token: 'a-token-that-nobody-sees', secret: 'a-secret-of-the-webhook', login: 'previewer' };
export const repository = 'Acme/Shop';

export const template = {
  metadata: { name: 'shop-${pr::number}', labels: { app: 'shop' } },
  spec: { integrations: { note: { text: '${pr::repository}@${pr::sha} of ${pr::branch}' } } },
};

/** Creates all of it; nothing runs yet. */
export async function aPreviewWorld(more: Partial<PreviewOptions> = {}) {
  const target = await aTargetCluster();
  const { clock, client } = target;
  const github = gitHubStandIn({ ...account, now: () => clock.now() });
  const shop = github.repository(repository);
  const logged: string[] = [];
  const logger = Object.fromEntries(
    (['info', 'warn'] as const).map((level) => [
      level,
      (about: object, text: string) => void logged.push(`${level} ${text} ${JSON.stringify(about)}`),
    ]),
  ) as Record<'info' | 'warn', (about: object, text: string) => void>;
  const { token, secret } = account;
  const host = gitHub({ token, secret, fetch: github.fetch, clock });
  const options = checkedPreviewOptions({ host, repositories: [repository], template, ...more });
  const { ttl, idle, limit, forkLabel, statusContext } = options;
  const source = { host: host.name, repository: repository.toLowerCase() };
  const context = (): ReconcileContext => ({
    client,
    clock,
    logger,
    host,
    repository: source.repository,
    namespace: namespaceOf(options.template),
    manifests: previewManifests(options.template, source),
    rules: { ttl, idle, limit, forkLabel },
    statusContext,
    reported: new Map(),
  });
  const names = async (): Promise<readonly string[]> =>
    (await client.list(Workspace, { namespace: 'default' })).items.map(({ metadata }) => metadata.name).sort();
  return {
    ...target,
    github,
    shop,
    logged,
    options,
    names,
    /** Status of the last commit of a pull request. */
    told: (number: number) => {
      const status = shop.statusAt(shop.pulls.get(number)?.sha ?? '', statusContext);
      return status && `${status.state}: ${status.description}`;
    },
    /** Looks as a process that has just started does. */
    look: (looked: PullRequestSelection = 'all') => reconcilePreviews(context(), looked, new AbortController().signal),
    /** Looks again as the same process does. */
    looker: () => {
      const kept = context();
      return (looked: PullRequestSelection = 'all') => reconcilePreviews(kept, looked, new AbortController().signal);
    },
    runnable: () => previewsRunnable(options).create({ client, clock, logger: logger as never }),
    create: (name: string, metadata: Partial<KubeObject['metadata']> = {}) =>
      client.create(Workspace, { metadata: { namespace: 'default', ...metadata, name }, spec: {} }),
  };
}
