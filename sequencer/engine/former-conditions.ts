import { claimOf, type Integration, type Workspace } from '../../sdk/index.ts';

/**
 * Returns the integration under each former condition whose journal entry is not empty. The claim belongs to the integration, regardless of its
 * condition:
 * external objects made under the former one are still its own.
 */
export function formerOf({ status }: Workspace, integration: Integration): readonly Integration[] {
  const claim = claimOf(integration.name);
  return Object.entries(status?.guards ?? {})
    .filter(([type, entry]) => type !== integration.condition && entry.claim === claim)
    .filter(([, { phase, late }]) => phase !== 'none' && (phase !== 'gone' || late !== undefined))
    .map(([condition]) => ({ ...integration, condition, after: [], references: () => [], handles: () => false }));
}
