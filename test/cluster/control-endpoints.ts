/** Handlers of `POST /control/NAME`, by which tests control a cluster. */

import type { Clock } from '../../sdk/clock.ts';
import { isAdvancing } from './apimachinery/clock/adjustable-clock.ts';
import { isFields } from './apimachinery/object.ts';
import type { RoleOptions } from './audit/minimal-roles.ts';
import type { Cluster } from './cluster.ts';
import { type ControllerName, checkName, controllerNames } from './controllers/engine/modes.ts';
import type { ControllerMode } from './controllers/engine/switchable-controller.ts';
import type { Fault } from './faults/fluent.ts';
import type { FaultSpec } from './faults/spec.ts';
import type { SnapshotFile } from './snapshot.ts';
import type { ControlActions } from './transport/control-handler.ts';

const faultView = ({ id, sentence, spec, hits }: Fault): object => ({ id, sentence, hits, spec });

/** Returns a required member of a body. Throws a TypeError that says what is expected. */
function requiredMember<T>(body: unknown, name: string, what: string): T {
  const value = isFields(body) ? body[name] : undefined;
  if (value !== undefined) return value as T;
  throw new TypeError(`the body needs ${JSON.stringify(name)}: ${what}`);
}

const controllerView = ({ controllers }: Cluster, name: ControllerName): object => ({
  name,
  mode: controllers.mode(name),
  waiting: controllers.waiting(name),
});

/** Returns the controller that a body names. Throws for an unknown name. */
function controllerIn(body: unknown): ControllerName {
  const name = requiredMember<string>(body, 'name', 'which controller');
  checkName(name);
  return name;
}

const controllerActions = (cluster: Cluster): ControlActions => ({
  'controllers/list': () => ({ controllers: controllerNames.map((name) => controllerView(cluster, name)) }),
  async 'controllers/set'(body) {
    const name = controllerIn(body);
    cluster.controllers.set(name, requiredMember<ControllerMode>(body, 'mode', 'auto, step or off'));
    await cluster.settle();
    return controllerView(cluster, name);
  },
  async 'controllers/step'(body) {
    const name = controllerIn(body);
    const wrote = await cluster.controllers.step(name);
    return { ...controllerView(cluster, name), wrote };
  },
});

const timeOf = (clock: Clock): object => ({ now: new Date(clock.now()).toISOString() });

async function advance(clock: Clock, body: unknown): Promise<object> {
  const ms = requiredMember<unknown>(body, 'ms', 'how many ms to put the clock forward');
  if (typeof ms !== 'number' || !(ms >= 0))
    throw new TypeError(`ms is ${JSON.stringify(ms)}, and must not be negative`);
  if (!isAdvancing(clock)) {
    throw new TypeError(
      'this clock cannot be put forward: createCluster({ clock: createAdjustableClock() }) has one that can',
    );
  }
  await clock.advance(ms);
  return timeOf(clock);
}

/** Actions of `POST /control/NAME` on a cluster. */
export const controlEndpointsOf = (cluster: Cluster, clock: Clock): ControlActions => ({
  compact() {
    cluster.compact();
    return { revision: cluster.revision };
  },
  'faults/add': (body) =>
    faultView(cluster.faults.add(requiredMember<FaultSpec | string>(body, 'fault', 'a sentence, or a fault as data'))),
  'faults/list': () => ({ faults: cluster.faults.list().map(faultView) }),
  'faults/remove': (body) => {
    const id = requiredMember<number>(body, 'id', 'which fault, as the list has it');
    const fault = cluster.faults.list().find((one) => one.id === id);
    if (fault === undefined) throw new TypeError(`there is no fault ${JSON.stringify(id)}`);
    fault.remove();
    return faultView(fault);
  },
  'faults/clear': () => {
    const faults = cluster.faults.list().map(faultView);
    cluster.faults.clear();
    return { faults };
  },
  snapshot: () => cluster.snapshot(),
  async restore(body) {
    const revision = isFields(body) && body.revision === 'return' ? 'return' : 'rise';
    await cluster.restore(requiredMember<SnapshotFile>(body, 'snapshot', 'what snapshot has answered'), { revision });
    return { revision: cluster.revision };
  },
  ...controllerActions(cluster),
  'clock/now': () => timeOf(clock),
  'clock/advance': (body) => advance(clock, body),
  role: (body) => {
    requiredMember(body, 'name', 'the name of the role');
    return { roles: cluster.audit.roles(body as unknown as RoleOptions) };
  },
});
