import {
  checkedProvider,
  checkedResult,
  type HostedController,
  type Integration,
  type ProviderController,
  type Result,
} from '../sdk/index.ts';

/** Whose turn it is, and for what. */
interface Turn {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
}

/** Connects an integration and lets it work for one step: each call has a deadline, each answer is checked. @throws ContractError, and what it throws */
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
