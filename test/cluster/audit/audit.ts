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
import { countRequests, type Totals, totalsByLabels } from './request-totals.ts';
import { type BindingObject, type RoleObject, type RoleOptions, rolesFor, type VerbsUsed, verbsUsed } from './roles.ts';

/** What can be asked of the record of requests. The expectations throw an AuditError that lists the requests in question. */
export interface AuditQuestions {
  /** That no client writes the same object again and again. */
  expectNoWriteLoop(options?: WriteLoopOptions): void;
  /** That no update or patch changes nothing. */
  expectNoIdleWrites(filter?: AuditFilter): void;
  /** That every list has a limit, or takes what the cache has. */
  expectBoundedLists(filter?: AuditFilter): void;
  /** That nobody tries again at once after a refusal. */
  expectBackoff(options?: BackoffOptions): void;
  /** What was done, by resource and namespace. */
  verbsUsed(filter?: AuditFilter): readonly VerbsUsed[];
  /** The least Roles and ClusterRoles for what was done, with their bindings when there is a subject: objects to apply, or to print. */
  roles(options: RoleOptions): readonly (RoleObject | BindingObject)[];
}

/** The last requests, oldest first; about 10 000 are kept. */
export interface Audit extends ReadonlyArray<AuditEntry>, AuditQuestions {}

/** A record that can be added to. */
export interface AuditLog {
  readonly audit: Audit;
  /** How often there was each kind of request, also of those that are no longer kept, by the labels that `/metrics` has for it. */
  totals(): ReadonlyMap<string, number>;
  add(entry: AuditEntry): void;
}

const limit = 10_000;

/** An empty record. */
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
  const forgotten: Totals = new Map();
  return {
    totals: () => totalsByLabels(forgotten, countRequests(entries, new Map())),
    audit: Object.defineProperties(entries, hidden) as unknown as Audit,
    add(entry) {
      entries.push(entry);
      if (entries.length > limit * 1.25) countRequests(entries.splice(0, entries.length - limit), forgotten);
    },
  };
}
