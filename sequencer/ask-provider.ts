import {
  checkedProvider,
  checkedResult,
  type HostedController,
  type Integration,
  type ProviderController,
  type Result,
} from '../sdk/index.ts';

/** Integration to call, and the call. */
interface Turn {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
}

/**
 * Connects an integration and calls it for one step: each call has a deadline, each result is validated. @throws ContractError, and the integration's
 * errors
 */
export async function askProvider(
  asker: Pick<HostedController, 'ask'>,
  controller: ProviderController,
  { kind, integration }: Turn,
): Promise<Result> {
  const { workspace } = controller;
  const connected = await asker.ask('connect', () => integration.connect({ workspace, controller }));
  const provider = checkedProvider(integration, connected);
  return checkedResult(integration, kind, await asker.ask(kind, () => provider[kind]()));
}
