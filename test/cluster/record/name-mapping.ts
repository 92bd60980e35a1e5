/** Maps generated values of a recording to those of the server that it is replayed on. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const versions: ReadonlySet<string> = new Set(['resourceVersion']);
const boundFields: ReadonlySet<string> = new Set(['uid', 'continue']);
/** Fields that a server assigns freely; `crt` is the end of `ca.crt`. */
const freeFields: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'podIP',
  'podIPs',
  'token',
  'storageVersionHash',
  'remainingItemCount',
  'crt',
]);

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '(absent)';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** Returns the name of the last member in a path. */
const keyIn = (path: string): string => /([^.[]*)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';

/** Maps the uids, versions, tokens and generated names of a recording to those of the replaying server. */
export class NameMapping {
  readonly #actual = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  /** Replaces recorded names in a text by the server's own. */
  inText(text: string): string {
    let made = text;
    for (const [recorded, actual] of this.#actual) made = made.replaceAll(recorded, () => actual);
    return made;
  }

  /** Replaces recorded names in a request path. */
  inPath(path: string): string {
    const [before = '', query] = this.inText(path).split('?', 2);
    if (query === undefined) return before;
    const parameters = new URLSearchParams(query);
    const version = parameters.get('resourceVersion');
    if (version === null) return `${before}?${query}`;
    parameters.set('resourceVersion', this.#versions.get(version) ?? version);
    return `${before}?${parameters}`;
  }

  /** Replaces recorded names in a JSON value to send. */
  inValue(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return versions.has(key) ? (this.#versions.get(value) ?? value) : this.inText(value);
    if (Array.isArray(value)) return value.map((item) => this.inValue(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.inValue(member, name)]));
  }

  /** Yields the differences between a recorded and an actual value, each beginning with its path. Learns names on the way. */
  *differences(recorded: unknown, actual: unknown, path: string): Generator<string> {
    const key = keyIn(path);
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (!this.#fits(recorded, actual, key))
        yield `${path}: expected ${shown(this.inText(recorded))}, got ${shown(actual)}`;
    } else if (Array.isArray(recorded) && Array.isArray(actual)) {
      yield* this.#itemDifferences(recorded, actual, path);
    } else if (isObject(recorded) && isObject(actual)) yield* this.#memberDifferences(recorded, actual, path);
    else if (recorded !== actual && !freeFields.has(key))
      yield `${path}: expected ${shown(recorded)}, got ${shown(actual)}`;
  }

  *#itemDifferences(recorded: readonly unknown[], actual: readonly unknown[], path: string): Generator<string> {
    if (recorded.length !== actual.length) yield `${path}: expected ${recorded.length} items, got ${actual.length}`;
    for (const [index, item] of recorded.slice(0, actual.length).entries())
      yield* this.differences(item, actual[index], `${path}[${index}]`);
  }

  *#memberDifferences(
    recorded: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
    path: string,
  ): Generator<string> {
    this.#learnName(recorded, actual);
    const renamed = new Set<string>();
    for (const [name, member] of Object.entries(recorded)) {
      const key = name in actual ? name : this.inText(name);
      renamed.add(key);
      if (key in actual) yield* this.differences(member, actual[key], `${path}.${name}`);
      else yield `${path}.${name}: expected ${shown(member)}, got nothing`;
    }
    for (const name of Object.keys(actual))
      if (!renamed.has(name)) yield `${path}.${name}: not expected, got ${shown(actual[name])}`;
  }

  /** Learns a generated name, which extends its prefix. */
  #learnName(recorded: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>): void {
    const { generateName, name } = recorded;
    if (typeof generateName !== 'string' || typeof name !== 'string' || typeof actual.name !== 'string') return;
    if (actual.generateName === generateName && actual.name.startsWith(generateName))
      this.#actual.set(name, actual.name);
  }

  /** Learns the actual name of a recorded one, and reports whether it is the one known so far. */
  #learns(recorded: string, actual: string): boolean {
    const known = this.#actual.get(recorded);
    this.#actual.set(recorded, known ?? actual);
    return known === undefined || known === actual;
  }

  #fits(recorded: string, actual: string, key: string): boolean {
    if (versions.has(key)) {
      this.#versions.set(recorded, actual);
      return (recorded === '') === (actual === '');
    }
    if (boundFields.has(key) && recorded !== '' && actual !== '') return this.#learns(recorded, actual);
    if (freeFields.has(key) || recorded === actual) return true;
    return (time.test(recorded) && time.test(actual)) || this.inText(recorded) === actual;
  }
}
