/** Normalizes answers of different servers for comparison. */

import { sortedJson } from '../../../cluster/apimachinery/field-error.ts';
import type { Answer } from './ask.ts';
import type { Family } from './scenario.ts';

/** Parts of an answer that are not compared. */
export type Manner = Pick<Family, 'ignored' | 'unordered' | 'countedApart' | 'masks'>;

const masks: readonly (readonly [RegExp, string])[] = [
  [/\bselfType\d+/g, '<type>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, '<microtime>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  // Age of an object with a fixed date.
  [/^\d+(?:d|y(?:\d+d)?)$/, '<age>'],
  [/",(?=299 - )/g, '", '],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\bhttps:\/\/(?:127\.0\.0\.1:\d+|kubernetes\.default\.svc\.cluster\.local)/g, '<server>'],
  [/\bLS0tLS1CRUdJTi[\w+/=]+/g, '<ca>'],
  [/\b127\.0\.0\.1:\d+/g, '<address>'],
  // From the first range, or from the one that a sample adds.
  [/\b10\.9(?:6)?\.\d+\.\d+\b/g, '<ip>'],
  // A node port in a message.
  [/(?<=: )3[012]\d{3}(?=[,:\]]|$)/g, '<node port>'],
  [/(?<=\{(?:TCP|UDP) )3[012]\d{3}(?=\})/g, '<node port>'],
  [/(?<=[a-z0-9.-])-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|"| )/g, '-<generated>'],
];
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Members that a server chooses freely, with predicates for valid values. */
const free: Readonly<Record<string, (value: unknown) => boolean>> = {
  nodePort: (value) => Number(value) >= 30_000,
  healthCheckNodePort: (value) => Number(value) >= 30_000,
  continue: (value) => value !== '',
  // Ages, and node ports after a service's own.
  cell: (value) => /^(?:\d+s|.*\d+:3\d{4}\/.*)$/.test(String(value)),
  remainingItemCount: () => true,
};

/** Placeholder of a generated name. */
function generatedIn({ name, generateName }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name !== 'string' || typeof generateName !== 'string') return undefined;
  const head = name.slice(0, -5);
  return head !== '' && !/[a-z0-9.-]-$/.test(head) && generateName.startsWith(head) ? `${head}-<generated>` : undefined;
}

const isVersion = (key: string, value: unknown): boolean =>
  key === 'resourceVersion' && typeof value === 'string' && /^\d+$/.test(value);

function numberIn(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key) ?? numbers.size + 1;
  numbers.set(key, known);
  return known;
}

/** Answers of one server in one scenario, with uids and versions replaced by numbers in order of appearance. */
export class Portraits {
  readonly #uids = new Map<string, number>();
  readonly #versions: Map<string, number>;
  readonly #ignored: ReadonlySet<string>;
  readonly #unordered: ReadonlySet<string>;
  readonly #masks: readonly (readonly [RegExp, string])[];
  readonly #asked: string;

  /** `asked` is the scenario's text: values in it are compared literally. */
  constructor(asked: string, { ignored, unordered, countedApart = false, masks: more = [] }: Manner = {}) {
    this.#asked = asked;
    this.#ignored = new Set(ignored);
    this.#unordered = new Set(unordered);
    this.#versions = countedApart ? new Map() : this.#uids;
    this.#masks = [...masks, ...more];
  }

  /** Returns an answer that can be compared with another server's. */
  of({ status, headers, body }: Answer): Answer {
    return { status, headers: this.#value(headers) as Answer['headers'], body: this.#value(body) };
  }

  #text(text: string): string {
    const named = text.replace(uuid, (uid) =>
      this.#asked.includes(uid) && !this.#uids.has(uid) ? uid : `<uid ${numberIn(this.#uids, uid)}>`,
    );
    return this.#masks.reduce(
      (made, [pattern, mask]) => made.replace(pattern, (found) => (this.#asked.includes(found) ? found : mask)),
      named,
    );
  }

  /** Sorts entries by name: their own order is that of their times in whole seconds, which varies by run. */
  #managers(entries: readonly unknown[]): unknown {
    const nameOf = (entry: unknown) => {
      const { manager, operation, subresource = '', apiVersion } = (entry ?? {}) as Record<string, string>;
      return [operation, manager, subresource, apiVersion].join(' ');
    };
    const ordered = entries.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    return ordered.map((entry) => this.#value(entry));
  }

  #items(values: readonly unknown[], key: string): unknown {
    if (key === 'managedFields') return this.#managers(values);
    const items = values.map((item) => this.#value(item, key === 'cells' ? 'cell' : ''));
    return this.#unordered.has(key) ? items.sort((a, b) => (sortedJson(a) < sortedJson(b) ? -1 : 1)) : items;
  }

  #value(value: unknown, key = '', isList = false): unknown {
    if (key in free && free[key]!(value)) return `<${key}>`;
    if (isVersion(key, value)) {
      return isList ? '<list version>' : `<version ${numberIn(this.#versions, `version ${value}`)}>`;
    }
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return this.#items(value, key);
    return typeof value === 'object' && value !== null ? this.#object(value, key, isList) : value;
  }

  #object(value: object, key: string, isList: boolean): unknown {
    const generated = generatedIn(value as Readonly<Record<string, unknown>>);
    if (generated !== undefined) return this.#value({ ...value, name: generated }, key, isList);
    const ofList = 'items' in value || 'rows' in value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !this.#ignored.has(name))
        .map(([name, member]) => [
          this.#text(name),
          this.#value(member, name, isList || (ofList && name === 'metadata')),
        ]),
    );
  }
}
