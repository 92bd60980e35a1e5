/** Rejects patches of workspaces that write what only the sequencer writes. */

import { isJsonObject } from '../../api/json.ts';
import { group } from '../../api/workspace.ts';
import type { Patch, WriteOptions } from '../../client/client.ts';
import { isMirrorAnnotation } from '../journal/mirror-encoding.ts';
import { type IntegrationRef, throwIfMistake } from '../value-mistakes.ts';

const remedies = {
  status: 'its status: use updateCondition, setOutputs or update',
  finalizers: 'its finalizers: use setFinalizer and removeFinalizer',
  mirror: 'the annotation of a mirror, which only the sequencer writes',
} as const;

type Reserved = keyof typeof remedies;

const nameIn = (part = ''): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns what an operation of a JSON patch writes that is reserved; one that replaces a parent writes all below it. */
function reservedAt(path: string): Reserved | undefined {
  const [, root = '', member, annotation] = path.split('/');
  if (root === 'status' || root === '') return 'status';
  if (root !== 'metadata') return undefined;
  if (member === undefined || member === 'finalizers') return 'finalizers';
  if (member !== 'annotations') return undefined;
  return annotation === undefined || isMirrorAnnotation(nameIn(annotation)) ? 'mirror' : undefined;
}

const isClaim = (finalizer: unknown): boolean => String(finalizer).startsWith(`${group}/`);

/** Reports whether a value sets finalizers that are not the writer's own: a merge replaces all of them, an apply adds to them. */
const setsFinalizers = (finalizers: unknown, type: 'merge' | 'apply'): boolean =>
  finalizers !== undefined && (type === 'merge' || (Array.isArray(finalizers) && finalizers.some(isClaim)));

/** Returns what the value of a merge or an apply sets that is reserved. */
function reservedIn(value: object, type: 'merge' | 'apply'): Reserved | undefined {
  const { status, metadata } = value as { readonly status?: unknown; readonly metadata?: unknown };
  if (status !== undefined) return 'status';
  if (metadata === null) return 'finalizers';
  const { finalizers, annotations } = isJsonObject(metadata) ? metadata : {};
  if (setsFinalizers(finalizers, type)) return 'finalizers';
  const names = isJsonObject(annotations) ? Object.keys(annotations) : [];
  return annotations === null || names.some(isMirrorAnnotation) ? 'mirror' : undefined;
}

function reservedBy(patch: Patch): Reserved | undefined {
  if (patch.type !== 'json') return reservedIn(patch.value, patch.type);
  const writes = patch.operations.filter(({ op }) => op !== 'test');
  return writes.map(({ path }) => reservedAt(path)).find((reserved) => reserved !== undefined);
}

/** Checks an integration's patch of a workspace. @throws ContractError if it writes the status, finalizers, or the mirror of a condition */
export function checkWorkspacePatch(integration: IntegrationRef, patch: Patch, options?: WriteOptions): void {
  const reserved = options?.subresource === 'status' ? 'status' : reservedBy(patch);
  throwIfMistake(integration, reserved && `patch must not write, of a workspace, ${remedies[reserved]}`);
}
