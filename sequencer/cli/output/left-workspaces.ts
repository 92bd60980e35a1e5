/** Tells what workspaces that end leave, and why some still exist. */

import { keyOf, type Workspace } from '../../../sdk/index.ts';
import { oneLine } from './plain-text.ts';

/** Formats the ids of a workspace's external objects, by condition. */
export function outsideLines({ metadata, status }: Workspace): readonly string[] {
  return Object.entries(status?.guards ?? {}).flatMap(([type, { refs = [], late = [] }]) => {
    const ids = [...refs, ...late];
    return ids.length === 0 ? [] : [`${keyOf(metadata)}  ${type}  stays outside: ${JSON.stringify(ids)}`];
  });
}

/** Explains why a workspace still exists: its conditions that are not terminated, and its finalizers. */
export function leftLines({ metadata, status }: Workspace): readonly string[] {
  const open = (status?.conditions ?? []).filter(({ type, status: said }) => type !== 'Ready' && said !== 'Terminated');
  const claims = (metadata.finalizers ?? []).join(', ');
  return [
    ...open.map(({ type, status: said, reason }) => `${keyOf(metadata)}  ${type}  ${said}: ${oneLine(reason)}`),
    `${keyOf(metadata)}  is claimed by ${claims === '' ? 'no integration' : claims}`,
  ];
}
