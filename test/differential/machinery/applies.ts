import type { Step } from '../scenario.ts';
import { creating, objectOf, ownOf, type Subject } from './subjects.ts';

type Changes = Readonly<Record<string, unknown>>;

/** A step of a story about one object. */
export type Deed = (subject: Subject) => Step;

const types = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** A manager applies what is given beside the name. */
export const applies =
  (manager: string, rest: object, query = ''): Deed =>
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

/** A manager patches. */
export const patches =
  (type: keyof typeof types, manager: string, body: unknown): Deed =>
  (subject) => ({ method: 'PATCH', path: `${ownOf(subject)}?fieldManager=${manager}`, contentType: types[type], body });

/** A manager applies, whoever owns what. */
export const forces = (manager: string, rest: object): Deed => applies(manager, rest, '&force=true');
/** A manager creates the object. */
export const creates =
  (manager: string, changes: Changes = {}): Deed =>
  (subject) =>
    creating(subject, changes, `?fieldManager=${manager}`);
/** A manager sends back what an earlier step answered, changed. */
export const puts =
  (manager: string, from: number, set: Changes): Deed =>
  (subject) => ({ method: 'PUT', path: `${ownOf(subject)}?fieldManager=${manager}`, from, set });
/** The object is read. */
export const reads: Deed = (subject) => ({ path: ownOf(subject) });
/** What an object of the kind has beside its metadata. */
export const own = (subject: Subject): object => subject.rest;
/** A manager applies all that the kind needs. */
export const appliesOwn =
  (manager: string, metadata: object = {}, query = ''): Deed =>
  (subject) =>
    applies(manager, { metadata, ...own(subject) }, query)(subject);

/** Labels alone. */
export const labels = (given: object) => ({ metadata: { labels: given } });
/** Where kubectl keeps what it applied itself. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** What kubectl keeps there. */
export const lastAppliedOf = (subject: Subject, changes: Changes = {}) =>
  `${JSON.stringify(objectOf(subject, changes))}\n`;

/** A story of one kind: who applies what, one after the other. */
export type Told = readonly (readonly [manager: string, rest: object] | Deed)[];

/** The steps of a story. */
export const told = (subject: Subject, story: Told): readonly Step[] =>
  story.map((one) => (typeof one === 'function' ? one(subject) : applies(...one)(subject)));
