/** Log of a cluster's requests, with expectations on them. */

import type { AuditEntry } from './entry.ts';
import {
  type BackoffOptions,
  expectBackoff,
  expectBoundedLists,
  expectNoIdleWrites,
  expectNoWriteLoop,
  type WriteLoopOptions,
} from './expectations.ts';
import type { AuditFilter } from './filter.ts';
import {
  type BindingObject,
  type RoleObject,
  type RoleOptions,
  rolesFor,
  type VerbsUsed,
  verbsUsed,
} from './minimal-roles.ts';
import { countRequests, type Totals, totalsByLabels } from './request-totals.ts';

/** Queries over the request log. Expectations throw an AuditError that lists the offending requests. */
export interface AuditQuestions {
  /** Expects that no client writes the same object in a loop. */
  expectNoWriteLoop(options?: WriteLoopOptions): void;
  /** Expects that every update and patch changes something. */
  expectNoIdleWrites(filter?: AuditFilter): void;
  /** Expects that every list has a limit or is served from the cache. */
  expectBoundedLists(filter?: AuditFilter): void;
  /** Expects a delay before each retry after a refusal. */
  expectBackoff(options?: BackoffOptions): void;
  /** Returns the verbs used, by resource and namespace. */
  verbsUsed(filter?: AuditFilter): readonly VerbsUsed[];
  /** Returns the minimal Roles and ClusterRoles for the requests, with bindings if a subject is given: objects to apply or to print. */
  roles(options: RoleOptions): readonly (RoleObject | BindingObject)[];
}

/** Last requests, about 10 000, oldest first. */
export interface Audit extends ReadonlyArray<AuditEntry>, AuditQuestions {}

/** Request log. */
export interface AuditLog {
  readonly audit: Audit;
  /** Returns the counts of all requests, including those no longer kept, by the labels of `/metrics`. */
  totals(): ReadonlyMap<string, number>;
  add(entry: AuditEntry): void;
}

const limit = 10_000;

/** Creates an empty log. */
export function createAuditLog(): AuditLog {
  const entries: AuditEntry[] = [];
  const questions: AuditQuestions = {
    expectNoWriteLoop: (options) => expectNoWriteLoop(entries, options),
    expectNoIdleWrites: (filter) => expectNoIdleWrites(entries, filter),
    expectBoundedLists: (filter) => expectBoundedLists(entries, filter),
    expectBackoff: (options) => expectBackoff(entries, options),
    verbsUsed: (filter) => verbsUsed(entries, filter),
    roles: (options) => rolesFor(entries, options),
  };
  const hidden = Object.fromEntries(
    Object.entries(questions).map(([name, value]) => [name, { value, enumerable: false }]),
  );
  const droppedTotals: Totals = new Map();
  return {
    totals: () => totalsByLabels(droppedTotals, countRequests(entries, new Map())),
    audit: Object.defineProperties(entries, hidden) as unknown as Audit,
    add(entry) {
      entries.push(entry);
      if (entries.length > limit * 1.25) countRequests(entries.splice(0, entries.length - limit), droppedTotals);
    },
  };
}
