/** Calls an integration for one step, with a deadline for each call and validation of each result. */

import { checkedProvider, checkedResult, type InternalController, readSettings } from '../../sdk/host/index.ts';
import { DefiniteError, type Integration, type ProviderController, type Result } from '../../sdk/index.ts';
import { settingsReaderOf } from '../tenants/configured-integration.ts';

/** Integration to call, and the call. */
interface ProviderStep {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
}

/**
 * Connects an integration and calls it for one step: each call has a deadline, each result is validated. @throws ContractError, DefiniteError for
 * invalid settings, and the integration's errors
 */
export async function callProvider(
  caller: Pick<InternalController, 'callIntegration'>,
  controller: ProviderController,
  { kind, integration }: ProviderStep,
): Promise<Result> {
  const { workspace } = controller;
  const reading =
    kind === 'reconcile' ? readSettings(settingsReaderOf(integration), workspace) : { settings: undefined };
  if ('mistake' in reading) throw new DefiniteError(reading.mistake);
  const connected = await caller.callIntegration('connect', () => integration.connect({ workspace, controller }));
  const provider = checkedProvider(integration, connected);
  return checkedResult(integration, kind, await caller.callIntegration(kind, () => provider[kind](reading.settings)));
}
