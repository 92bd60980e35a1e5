/** Starts the server of the page beside the sequencer. */

import { type Client, type Runnable, type SecretRegistry, systemClock } from '../../sdk/index.ts';
import { withRepresentatives } from '../tenants/tenant-integration.ts';
import { checkIntegrations } from './check-integrations.ts';
import { isOfClass } from './operator-instance.ts';
import type { Preflight } from './preflight/preflight.ts';
import type { RunOptions } from './run.ts';
import type { Sequencer } from './sequencer.ts';

/** Parts of a process that the page shows. */
interface PageParts {
  readonly client: Client;
  readonly sequencer: Sequencer;
  readonly preflight: Preflight;
  readonly secrets: SecretRegistry;
}

/** Creates the page if its port is set; its code is loaded only then. */
export async function pageOf(
  options: RunOptions,
  { client, sequencer, preflight, secrets }: PageParts,
): Promise<Runnable | undefined> {
  const { pagePort: port, pageHost: host, namespace, selector, className, clock = systemClock, logger } = options;
  if (port === undefined) return undefined;
  const { createOperatorPage } = await import('../page/operator-page.ts');
  return createOperatorPage({
    port,
    host,
    client,
    clock,
    integrations: checkIntegrations(withRepresentatives(options), options.integrations.length),
    selection: { ...(namespace !== undefined && { namespace }), ...(selector !== undefined && { labels: selector }) },
    isShown: (workspace) => isOfClass(workspace, className),
    secrets,
    state: () => ({ health: sequencer.health(), limits: sequencer.limits(), problems: preflight.problems() }),
    logger,
  });
}
