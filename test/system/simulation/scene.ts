import type { Arena } from './arena.ts';
import type { Crew } from './crew.ts';
import type { History } from './history.ts';
import type { Invariants } from './invariants.ts';
import type { World } from './process.ts';
import type { ThirdParty } from './third-party.ts';

/** Objects that users and foreign writers act on. */
export interface Scene {
  readonly world: World;
  readonly arena: Arena;
  readonly thirdParty: ThirdParty;
  readonly invariants: Invariants;
  readonly history: History;
  readonly crew: Crew;
}
