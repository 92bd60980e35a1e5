/** Owners of external objects: the workspace and, after a restore from a backup, its earlier uids. */

import type { Owner } from '../contract/external-resource.ts';
import type { ExternalObject } from '../journal/external-objects.ts';
import type { EnsureContext } from './ensure-context.ts';

/** Returns the owner of an object: the workspace or, after a restore from a backup, an earlier workspace of that name. */
export function ownerOf<Wanted, Id extends object>(
  { session: { workspace, scope } }: Pick<EnsureContext<Wanted, Id>, 'session'>,
  { slot, owner }: Pick<ExternalObject, 'slot' | 'owner'>,
): Owner {
  const { namespace = '', name } = workspace.metadata;
  const uid = owner ?? workspace.metadata.uid ?? '';
  return { uid, namespace, workspace: name, condition: scope.type, slot, mark: [uid, scope.type, slot].join('/') };
}

/** Returns all owners whose mark an object of this slot may have: the workspace, then its earlier uids. */
export const possibleOwners = <Wanted, Id extends object>(
  { session }: Pick<EnsureContext<Wanted, Id>, 'session'>,
  slot: string,
): readonly Pick<ExternalObject, 'slot' | 'owner'>[] => [
  { slot },
  ...session.formerUids.toReversed().map((owner) => ({ slot, owner })),
];

/**
 * Returns the owners whose mark an object may bear: its own and, if the resource has `replaceMark`, the workspace and all its earlier uids, the latest last. A
 * lost attempt may have replaced the mark or not, and a lagging read still shows the old one.
 */
export function possibleMarkOwners<Wanted, Id extends object>(
  context: Pick<EnsureContext<Wanted, Id>, 'session' | 'resource'>,
  object: Pick<ExternalObject, 'slot' | 'owner'>,
): readonly Owner[] {
  if (context.resource.replaceMark === undefined) return [ownerOf(context, object)];
  const known = possibleOwners(context, object.slot).toReversed();
  const bearers = known.some(({ owner }) => owner === object.owner) ? known : [object, ...known];
  return bearers.map((one) => ownerOf(context, one));
}
