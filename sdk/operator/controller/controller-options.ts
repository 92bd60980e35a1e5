/** Options of an informer controller, and their validation. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import type { OwnWrites } from '../../client/cache/own-writes.ts';
import type { StoreOptions } from '../../client/cache/store.ts';
import type { Selection } from '../../client/client.ts';
import { refuseUnknown } from '../../options.ts';
import type { Reconciler } from '../../reconcile/reconciler.ts';
import { mistakeInSelection } from '../engine/selection.ts';
import type { Watched } from '../engine/source.ts';
import { mistakeInWork, type WorkOptions, workOptions } from '../engine/work-options.ts';

/** Options of {@link createInformerController}: the kinds to watch, and the reconciler. */
export interface InformerControllerOptions<T extends KubeObject> extends StoreOptions<T>, WorkOptions {
  readonly kind: Kind<T>;
  /** Reconciler, called for each object at start-up and after each change; one run per object at a time. */
  readonly reconciler: Reconciler<T>;
  /** Selects the objects of the kind. @default all */
  readonly selection?: Selection;
  /** Kinds owned by this one (owner reference): a change of an owned object enqueues its owner. @default [] */
  readonly owns?: readonly Kind[];
  /** Other kinds whose changes enqueue objects of this one, see `watched`. @default [] */
  readonly watches?: readonly Watched[];
  /**
   * Handling of changes by the controller's own writes: `'run'` enqueues the object; `'ignore'` does not, for a reconciler that uses the responses of
   * its writes.
   * @default 'run'
   */
  readonly echoes?: 'run' | 'ignore';
  /** Tracker of own writes, if the reconciler uses a client other than the controller's `client`. */
  readonly ownWrites?: OwnWrites;
}

const knownOptions: ReadonlySet<string> = new Set<keyof InformerControllerOptions<KubeObject>>([
  ...workOptions,
  'kind',
  'reconciler',
  'selection',
  'owns',
  'watches',
  'ownWrites',
  'echoes',
  'project',
  'indexes',
]);

/** Validates the options. @throws TypeError naming the option, what was expected and what was found */
export function checkOptions<T extends KubeObject>(options: InformerControllerOptions<T>): void {
  const name = options.name ?? (options.kind === undefined ? '' : resourceOf(options.kind));
  const where = `controller ${name}`;
  refuseUnknown(where, options, knownOptions);
  const refuse = (what: string): never => {
    throw new TypeError(`${where}: ${what}`);
  };
  for (const required of ['client', 'kind', 'reconciler'] as const)
    if (options[required] === undefined) refuse(`${required} is missing`);
  const { kind, selection = {}, watches = [] } = options;
  const mistakes = [mistakeInWork(options), mistakeInSelection(kind, selection)];
  for (const watch of watches) mistakes.push(mistakeInSelection(watch.kind, watch.selection ?? {}));
  const mistake = mistakes.find((found) => found !== undefined);
  if (mistake !== undefined) refuse(mistake);
}
