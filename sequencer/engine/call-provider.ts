import { checkedProvider, checkedResult, type HostedController } from '../../sdk/host/index.ts';
import type { Integration, ProviderController, Result } from '../../sdk/index.ts';

/** Integration to call, and the call. */
interface ProviderStep {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
}

/**
 * Connects an integration and calls it for one step: each call has a deadline, each result is validated. @throws ContractError, and the integration's
 * errors
 */
export async function callProvider(
  caller: Pick<HostedController, 'callPlugin'>,
  controller: ProviderController,
  { kind, integration }: ProviderStep,
): Promise<Result> {
  const { workspace } = controller;
  const connected = await caller.callPlugin('connect', () => integration.connect({ workspace, controller }));
  const provider = checkedProvider(integration, connected);
  return checkedResult(integration, kind, await caller.callPlugin(kind, () => provider[kind]()));
}
