/** Controllers of a cluster, started and stopped by name. */

import { keyOf } from '../../../../sdk/api/object.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Change } from '../../storage/store.ts';
import { createLoop, type Loop } from './change-delivery.ts';
import { type ControllerContext, type ControllerRegistry, createControllerRegistry } from './controller-registry.ts';
import { type ControllerName, checkMode, checkName, controllerNames, type Modes, perController } from './modes.ts';
import { type ControllerMode, SwitchableController } from './switchable-controller.ts';

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

/** Returns controls that act on the controllers of the current server, which a restore replaces. */
export const currentControllers = (current: () => Controllers): Controllers => ({
  mode: (name) => current().mode(name),
  set: (name, mode) => current().set(name, mode),
  step: (name) => current().step(name),
  waiting: (name) => current().waiting(name),
});

/** Running controllers of a cluster. */
export interface ControllerManager extends Loop {
  readonly controllers: Controllers;
  /** Returns the current modes. */
  modes(): Modes;
}

/** Yields every object in the store as an addition. */
function* existingObjects({ store, registry }: ServerContext): Generator<Change> {
  for (const { collection } of registry.collections()) {
    for (const object of store.page(collection, { prefix: '' }).objects) {
      const revision = Number(object.metadata.resourceVersion);
      yield { type: 'ADDED', collection, key: keyOf(object.metadata), object, previous: undefined, revision };
    }
  }
}

/** Starts all controllers in the given modes. */
export function createControllerManager(context: ControllerContext, modes: Modes): ControllerManager {
  const { server } = context;
  const catalog: ControllerRegistry = createControllerRegistry(context);
  const definitions = new SwitchableController(catalog.definitions);
  const controllers = new Map(controllerNames.map((name) => [name, new SwitchableController(catalog[name])]));
  const all = [definitions, ...controllers.values()];
  const loop = createLoop(server.store, all);
  definitions.set('auto', () => []);
  for (const [name, controller] of controllers) controller.set(modes[name], () => []);
  const find = (name: ControllerName): SwitchableController => {
    checkName(name);
    return controllers.get(name)!;
  };
  return {
    ...loop,
    modes: () => perController((name) => find(name).mode),
    controllers: {
      mode: (name) => find(name).mode,
      set(name, mode) {
        checkMode(`the mode of ${name}`, mode);
        find(name).set(mode, () => existingObjects(server));
      },
      async step(name) {
        const controller = find(name);
        if (controller.mode !== 'step') {
          throw new TypeError(`${name} is "${controller.mode}": only controllers in mode "step" take steps`);
        }
        await loop.settle();
        const did = await controller.step();
        await loop.settle();
        return did;
      },
      waiting: (name) => find(name).waiting,
    },
  };
}
