import type { Invariants } from '../checks/invariants.ts';
import type { Arena } from '../processes/arena.ts';
import type { World } from '../processes/process.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { ThirdParty } from '../third-party/third-party.ts';
import type { History } from './history.ts';

/** Objects that users and foreign writers act on. */
export interface Scene {
  readonly world: World;
  readonly arena: Arena;
  readonly thirdParty: ThirdParty;
  readonly invariants: Invariants;
  readonly history: History;
  readonly supervisor: Supervisor;
}
