/** Kustomize overlays, made of the objects that they turn one installation into. */

import type { KubeObject } from '../sdk/index.ts';

/** Operation of RFC 6902. */
interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

/** Overlay of a base. */
export interface Overlay {
  /** Members of its `kustomization.yaml`, beside `resources`. */
  readonly patches: readonly object[];
  /** Objects that the base does not have. */
  readonly objects: readonly KubeObject[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pointer = (path: string, key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const areRecords = (list: unknown): list is readonly unknown[] => Array.isArray(list) && list.every(isRecord);

/** Returns the operations that turn one value into another; lists are replaced, but for lists of as many objects. */
function operations(from: unknown, to: unknown, path = ''): readonly Operation[] {
  if (areRecords(from) && areRecords(to) && from.length === to.length)
    return from.flatMap((one, index) => operations(one, to[index], pointer(path, String(index))));
  if (!isRecord(from) || !isRecord(to))
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ op: 'replace', path, value: to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key): readonly Operation[] => {
    if (!(key in to)) return [{ op: 'remove', path: pointer(path, key) }];
    if (!(key in from)) return [{ op: 'add', path: pointer(path, key), value: to[key] }];
    return operations(from[key], to[key], pointer(path, key));
  });
}

const idOf = ({ kind, metadata: { name, namespace } }: KubeObject): string => [kind, namespace, name].join();

/** Returns the overlay that turns the objects of a base into others. Pure. */
export function overlayOf(base: readonly KubeObject[], wanted: readonly KubeObject[]): Overlay {
  const [before, after] = [base, wanted].map((all) => new Map(all.map((one) => [idOf(one), one])));
  const removals = base
    .filter((one) => !after!.has(idOf(one)))
    .map(({ apiVersion, kind, metadata: { name } }) => ({
      patch: { $patch: 'delete', apiVersion, kind, metadata: { name } },
    }));
  const changes = wanted.flatMap((one) => {
    const { kind, metadata } = one;
    const found = before!.get(idOf(one));
    const patch = found === undefined ? [] : operations(found, one);
    return patch.length === 0 ? [] : [{ target: { kind, name: metadata.name }, patch }];
  });
  return { patches: [...removals, ...changes], objects: wanted.filter((one) => !before!.has(idOf(one))) };
}
