/** Start of the webhook server of `sequencer run`. */

import { type Client, type Kind, type Observer, systemClock, Workspace } from '../../sdk/index.ts';
import type { Webhooks } from '../../sdk/webhooks/index.ts';
import type { AnyConfig } from '../tenants/config-integration-name.ts';
import { configKinds, withRepresentatives } from '../tenants/tenant-integration.ts';
import { checkIntegrations } from './check-integrations.ts';
import { isOfClass, webhookNames } from './operator-instance.ts';
import type { RunOptions } from './run.ts';

/** Creates the server of the webhook if its port is set; its code is loaded only then. */
export async function webhooksOf(
  options: RunOptions,
  served: {
    readonly client: Client;
    readonly operatorNamespace: string;
    readonly observer: Pick<Observer, 'reviewed'> | undefined;
  },
): Promise<Webhooks | undefined> {
  const { webhookPort: port, webhookHost: host, className, selector, clock = systemClock, logger } = options;
  if (port === undefined) return undefined;
  const { client, operatorNamespace, observer } = served;
  const [{ createWebhooks, ownCertificates, validator }, { admitWorkspace }, { admitConfig }, { matchesSelector }] =
    await Promise.all([
      import('../../sdk/webhooks/index.ts'),
      import('../admission/admit-workspace.ts'),
      import('../admission/admit-config.ts'),
      import('../admission/label-selector.ts'),
    ]);
  const integrations = checkIntegrations(withRepresentatives(options), options.integrations.length);
  const { configuration: name, service, secret } = webhookNames({ className, selector }, operatorNamespace);
  const isHere = ({ metadata, spec }: Workspace | AnyConfig): boolean =>
    (options.namespace === undefined || metadata.namespace === options.namespace) && isOfClass({ spec }, className);
  const isOurs = (workspace: Workspace): boolean =>
    isHere(workspace) && (selector === undefined || matchesSelector(selector, workspace.metadata.labels));
  return createWebhooks({
    ...{ name, service, port, clock, logger },
    ...(host !== undefined && { host }),
    ...(observer && { observer }),
    certificates: ownCertificates({ client, secret, hosts: host === undefined ? [] : [host], clock, logger }),
    webhooks: [
      validator(Workspace, (workspace, context) =>
        isOurs(workspace) ? admitWorkspace(workspace, context, integrations) : undefined,
      ),
      ...configKinds(options).map((kind) =>
        validator(kind as Kind<AnyConfig>, (config, context) =>
          isHere(config) ? admitConfig(config, context, options.tenantIntegrations ?? {}) : undefined,
        ),
      ),
    ],
  });
}
