import { type Fault, refusals, refusedWrites } from '../faults/faults.ts';
import { atTime, type Scenario } from './schedule.ts';

/**
 * Start and duration of a refusal: the starts meet creation, change or deletion; it lasts less than a lease, some leases, or to the end of
 * the faults.
 */
const spells = [0, 4_990, 29_990].flatMap((at) => [5_000, 45_000, 120_000 - at].map((ms) => ({ at, ms })));

/** A policy refuses one kind of the sequencer's writes. */
export const writeRefused: Scenario = {
  name: 'write-refused',
  about:
    'One kind of our writes is refused for a while: told within a lease, nothing lost or made twice, and it continues.',
  schedules: () =>
    refusedWrites
      .flatMap((write) =>
        refusals.flatMap((kind) =>
          spells.flatMap(({ at, ms }): readonly { readonly faults: readonly Fault[] }[] => [
            { faults: [{ on: 'write', at, kind, ms, write }, atTime(5_000, 'spec change'), atTime(30_000, 'delete')] },
          ]),
        ),
      )
      .map((schedule) => ({ ...schedule, expects: { nobodyAsked: true } })),
};
