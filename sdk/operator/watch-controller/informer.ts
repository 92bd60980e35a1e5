/** Informer declarations of a watch controller. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { StoreOptions } from '../../client/cache/store.ts';
import type { Selection } from '../../client/client.ts';
import { refuseUnknown } from '../../options.ts';
import { mistakeInSelection } from '../engine/selection.ts';

/** Options of {@link informer}. */
export interface InformerOptions<T extends KubeObject> extends StoreOptions<T> {
  /** Selects the objects of the kind. @default all */
  readonly selection?: Selection;
  /** ms between resyncs of every object. @default the controller's */
  readonly resyncInterval?: number;
  /** ms without any byte after which its watch counts as dead. @default the controller's */
  readonly idleTimeout?: number;
}

/** Declaration of the objects to list and watch; plain data, used by the controller to which it is added. */
export interface Informer<T extends KubeObject = KubeObject> extends StoreOptions<T> {
  readonly kind: Kind<T>;
  readonly selection: Selection;
  readonly resyncInterval: number | undefined;
  readonly idleTimeout: number | undefined;
}

const knownOptions: ReadonlySet<string> = new Set<keyof InformerOptions<KubeObject>>([
  'selection',
  'resyncInterval',
  'idleTimeout',
  'project',
  'indexes',
]);

/**
 * Declares an informer of one kind, for all objects or for a selection by namespace, labels and fields, which the server applies.
 * @throws TypeError for a namespace of a cluster-scoped kind, and for unknown options
 */
export function informer<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T> = {}): Informer<T> {
  if (kind === undefined || kind === null) throw new TypeError('schema cannot be nil');
  const where = `informer of ${resourceOf(kind)}`;
  const refuse = (what: string): never => {
    throw new TypeError(`${where}: ${what}`);
  };
  refuseUnknown(where, options, knownOptions);
  const { selection = {}, resyncInterval, idleTimeout, ...store } = options;
  const mistake = mistakeInSelection(kind, selection);
  if (mistake !== undefined) refuse(mistake);
  for (const [name, ms] of Object.entries({ resyncInterval, idleTimeout }))
    if (ms !== undefined && !(ms > 0)) refuse(`${name} must be more than 0 ms, found ${ms}`);
  return { ...store, kind, selection, resyncInterval, idleTimeout };
}
