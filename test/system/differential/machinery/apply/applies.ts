/** Steps of server-side apply scenarios. */

import type { Step } from '../../runner/scenario.ts';
import { creating, objectOf, ownOf, type Subject } from '../subjects.ts';

type Changes = Readonly<Record<string, unknown>>;

/** Step of a scenario about one object. */
export type StepBuilder = (subject: Subject) => Step;

const types = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Applies fields, by a manager. */
export const applies =
  (manager: string, rest: object, query = ''): StepBuilder =>
  (subject) => {
    const { apiVersion, kind } = subject;
    const { metadata = {}, ...others } = rest as { readonly metadata?: object };
    return {
      method: 'PATCH',
      path: `${ownOf(subject)}?fieldManager=${manager}${query}`,
      contentType: types.apply,
      body: { apiVersion, kind, metadata: { name: 'x-{ns}', ...metadata }, ...others },
    };
  };

/** Patches the object, by a manager. */
export const patches =
  (type: keyof typeof types, manager: string, body: unknown): StepBuilder =>
  (subject) => ({ method: 'PATCH', path: `${ownOf(subject)}?fieldManager=${manager}`, contentType: types[type], body });

/** Forces an apply, by a manager. */
export const forces = (manager: string, rest: object): StepBuilder => applies(manager, rest, '&force=true');
/** A manager creates the object. */
export const creates =
  (manager: string, changes: Changes = {}): StepBuilder =>
  (subject) =>
    creating(subject, changes, `?fieldManager=${manager}`);
/** Sends back an earlier answer with changes, by a manager. */
export const puts =
  (manager: string, from: number, set: Changes): StepBuilder =>
  (subject) => ({ method: 'PUT', path: `${ownOf(subject)}?fieldManager=${manager}`, from, set });
/** Reads the object. */
export const reads: StepBuilder = (subject) => ({ path: ownOf(subject) });
/** Fields of an object of the kind beside its metadata. */
export const own = (subject: Subject): object => subject.rest;
/** Applies all required fields of the kind, by a manager. */
export const appliesOwn =
  (manager: string, metadata: object = {}, query = ''): StepBuilder =>
  (subject) =>
    applies(manager, { metadata, ...own(subject) }, query)(subject);

/** Metadata with labels only. */
export const labels = (given: object) => ({ metadata: { labels: given } });
/** Annotation in which kubectl keeps its last client-side apply. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Value of that annotation. */
export const lastAppliedOf = (subject: Subject, changes: Changes = {}) =>
  `${JSON.stringify(objectOf(subject, changes))}\n`;

/** Scenario of one kind: a sequence of applies by manager. */
export type ApplyScenario = readonly (readonly [manager: string, rest: object] | StepBuilder)[];

/** Steps of a scenario. */
export const told = (subject: Subject, story: ApplyScenario): readonly Step[] =>
  story.map((one) => (typeof one === 'function' ? one(subject) : applies(...one)(subject)));
