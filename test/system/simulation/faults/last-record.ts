/** Limits what foreign writers remove: docs/guard/limits.md has as a limit that nothing is known of a workspace without status, mirror and finalizer. */

import { group, mirrorAnnotation, type Workspace } from '../../../../sdk/index.ts';
import type { Fault } from './faults.ts';

/** Place that says that something may have been begun. */
type Place = 'finalizer' | 'journal' | 'mirror';

/** Records that an act removes. */
const removed: Partial<Record<Fault['kind'], readonly Place[]>> = {
  'status wiped': ['journal'],
  'journal wiped': ['journal'],
  'mirror wiped': ['mirror'],
  'claim removed': ['finalizer'],
  'metadata replaced': ['finalizer', 'mirror'],
};

const mirrorPrefix = mirrorAnnotation('');

/** Reports whether an act removes the last record of what the workspace may have begun. */
export function removesLastRecord({ metadata, status }: Workspace, kind: Fault['kind']): boolean {
  const removes = removed[kind];
  if (removes === undefined) return false;
  const { finalizers = [], annotations = {} } = metadata;
  const phases = Object.values(status?.guards ?? {}).map(({ phase }) => phase);
  const isPresent: Readonly<Record<Place, boolean>> = {
    finalizer: finalizers.some((one) => one.startsWith(`${group}/`)),
    journal: phases.some((phase) => phase !== 'gone'),
    mirror: Object.keys(annotations).some((name) => name.startsWith(mirrorPrefix)),
  };
  const hasBegun =
    isPresent.finalizer || isPresent.mirror || phases.some((phase) => phase !== 'none' && phase !== 'gone');
  const left = (['finalizer', 'journal', 'mirror'] as const).filter((one) => isPresent[one] && !removes.includes(one));
  return hasBegun && left.length === 0;
}
