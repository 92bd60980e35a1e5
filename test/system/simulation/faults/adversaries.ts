/** Draws the acts of adversaries: tenants, administrators, policies and backups. */

import type { Random } from '../processes/random.ts';
import {
  type Bounds,
  directedTenantFaults,
  type Fault,
  refusals,
  refusedWrites,
  tenantFaults,
  type WorldFault,
} from './faults.ts';

/** Timed acts of tenants, administrators and backups. */
const acts: readonly WorldFault[] = [
  ...tenantFaults,
  'spec put back',
  'unhandled',
  'asked again',
  'answer put back',
  'status put back',
  'claim removed',
  'metadata replaced',
  'journal wiped',
  'condition renamed',
  'changed hands',
  'claimed by both',
];

/** Acts that invalidate what another act relies on: no guarantee covers both in one life. */
const exclusive: readonly (readonly [Fault['kind'], readonly Fault['kind'][]])[] = [
  ['claim removed', ['delete', 'recreate', 'replaced', 'restored from backup']],
  [
    'metadata replaced',
    ['delete', 'recreate', 'replaced', 'restored from backup', 'status put back', 'condition renamed'],
  ],
  ['status put back', ['mirror wiped']],
  ['restored from backup', ['mirror wiped', 'status and mirror put back', 'recreate']],
  ['replaced', ['mirror wiped', 'status and mirror put back']],
  ['status and mirror put back', ['changed hands']],
  // what a new workspace makes under the other name meanwhile has to be moved by hand; without status and mirror, nothing names the former one
  ['condition renamed', [...tenantFaults, ...directedTenantFaults, 'mirror wiped', 'status and mirror put back']],
];

/** Draws the adversaries' acts of one life: `rate` acts on average, as many refusals, and as many late reads. */
export function drawAdversaries(random: Random, rate: number, { horizon, lease, listLag }: Bounds): readonly Fault[] {
  const choice = random.fork('adversaries');
  const upTo = (limit: number): number => 1 + choice.below(limit);
  const some = (one: () => Fault): readonly Fault[] =>
    Array.from({ length: Math.round(rate * 2 * choice.next()) }, one);
  return [
    ...some(() => {
      const at = upTo(horizon);
      const kind = choice.pick(acts);
      return { on: 'time', at, kind, ms: kind === 'status put back' ? upTo(at) : 0 };
    }),
    ...some(() => {
      const [kind, write] = [choice.pick(refusals), choice.pick(refusedWrites)];
      return { on: 'write', at: upTo(horizon), kind, ms: upTo(4 * lease), write };
    }),
    ...some(() => ({ on: 'call', at: choice.below(24), kind: 'call stale', ms: choice.below(listLag) })),
  ];
}

/** Filters out the faults that another one in the list excludes. */
export function compatible(faults: readonly Fault[]): readonly Fault[] {
  const kinds = new Set(faults.map(({ kind }) => kind));
  const excluded = exclusive.flatMap(([kind, others]) => (kinds.has(kind) ? others : []));
  return faults.filter(({ kind }) => !excluded.includes(kind));
}
