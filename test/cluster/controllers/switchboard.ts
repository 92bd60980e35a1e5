/** Controllers of a cluster, started and stopped by name. */

import { keyOf } from '../../../sdk/api/object.ts';
import type { Machinery } from '../machinery.ts';
import type { Change } from '../store.ts';
import { Actor, type ControllerMode } from './actor.ts';
import { type Catalog, type CatalogContext, catalogOf } from './catalog.ts';
import { createLoop, type Loop } from './loop.ts';
import { type ControllerName, checkMode, checkName, controllerNames, type Modes, perController } from './modes.ts';

/** Controllers of a cluster, with their modes. */
export interface Controllers {
  /** Returns the current mode of a controller. */
  mode(name: ControllerName): ControllerMode;
  /** Sets the mode of a controller; one that was off first receives all existing objects. Throws a TypeError for an unknown name or mode. */
  set(name: ControllerName, mode: ControllerMode): void;
  /** Runs a controller in mode `step` until it has written something. Resolves with false when it has nothing to do. */
  step(name: ControllerName): Promise<boolean>;
  /** Returns the number of pending items of a controller. */
  waiting(name: ControllerName): number;
}

/** Running controllers of a cluster. */
export interface Switchboard extends Loop {
  readonly controllers: Controllers;
  /** Returns the current modes. */
  modes(): Modes;
}

/** Yields every object in the store as an addition. */
function* known({ store, registry }: Machinery): Generator<Change> {
  for (const { collection } of registry.collections()) {
    for (const object of store.page(collection, { prefix: '' }).objects) {
      const revision = Number(object.metadata.resourceVersion);
      yield { type: 'ADDED', collection, key: keyOf(object.metadata), object, previous: undefined, revision };
    }
  }
}

/** Starts all controllers in the given modes. */
export function createSwitchboard(context: CatalogContext, modes: Modes): Switchboard {
  const { machinery } = context;
  const catalog: Catalog = catalogOf(context);
  const definitions = new Actor(catalog.definitions);
  const actors = new Map(controllerNames.map((name) => [name, new Actor(catalog[name])]));
  const all = [definitions, ...actors.values()];
  const loop = createLoop(machinery.store, all);
  definitions.set('auto', () => []);
  for (const [name, actor] of actors) actor.set(modes[name], () => []);
  const find = (name: ControllerName): Actor => {
    checkName(name);
    return actors.get(name)!;
  };
  return {
    ...loop,
    modes: () => perController((name) => find(name).mode),
    controllers: {
      mode: (name) => find(name).mode,
      set(name, mode) {
        checkMode(`the mode of ${name}`, mode);
        find(name).set(mode, () => known(machinery));
      },
      async step(name) {
        const actor = find(name);
        if (actor.mode !== 'step') {
          throw new TypeError(`${name} is "${actor.mode}": only controllers in mode "step" take steps`);
        }
        await loop.settle();
        const did = await actor.step();
        await loop.settle();
        return did;
      },
      waiting: (name) => find(name).waiting,
    },
  };
}
