/** Lifecycle rule of this integration among the rules of a bucket. */

import type { LifecycleRule } from '@aws-sdk/client-s3';

const ruleId = 'workspace-sequencer';

const ruleOf = (days: number): LifecycleRule => ({
  ID: ruleId,
  Status: 'Enabled',
  Filter: { Prefix: '' },
  Expiration: { Days: days },
  NoncurrentVersionExpiration: { NoncurrentDays: days },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
});

/** Returns the days after which objects expire by the rule of this integration; 0 for never. */
export function expiryIn(rules: readonly LifecycleRule[]): number {
  const own = rules.find(({ ID }) => ID === ruleId);
  const days = own?.Status === 'Enabled' ? (own.Expiration?.Days ?? 0) : 0;
  const isWhole =
    (own?.Filter?.Prefix ?? '') === '' && own?.Filter?.Tag === undefined && own?.Filter?.And === undefined;
  return isWhole ? days : 0;
}

/** Returns the rules with this integration's rule set or, for 0 days, removed. */
export const withExpiry = (rules: readonly LifecycleRule[], days: number): LifecycleRule[] => [
  ...rules.filter(({ ID }) => ID !== ruleId),
  ...(days > 0 ? [ruleOf(days)] : []),
];
