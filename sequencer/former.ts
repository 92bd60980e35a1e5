import { claimOf, type Integration, type Workspace } from '../sdk/index.ts';

/**
 * The integration under each condition that it answered for before it was given another one, as long as its journal there holds anything. The claim
 * is the integration's, whatever its condition: what was made under the former one is still its own.
 */
export function formerOf({ status }: Workspace, integration: Integration): readonly Integration[] {
  const claim = claimOf(integration.name);
  return Object.entries(status?.guards ?? {})
    .filter(([type, entry]) => type !== integration.condition && entry.claim === claim)
    .filter(([, { phase, late }]) => phase !== 'none' && (phase !== 'gone' || late !== undefined))
    .map(([condition]) => ({ ...integration, condition, after: [], handles: () => false }));
}
