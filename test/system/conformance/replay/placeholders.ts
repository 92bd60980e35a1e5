/** Matches texts against expected ones with placeholders. */

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const patterns: Readonly<Record<string, string>> = {
  uid: uuid,
  uuid,
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ',
  microtime: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z',
  rv: '\\d+',
  token: '[\\s\\S]+',
  hash: '[\\s\\S]+',
  ip: '[0-9a-f:.]+',
  gen: '[bcdfghjklmnpqrstvwxz2456789]{5}',
  age: '(?:(?:\\d+[smhdy])+|<invalid>|<unknown>)',
  int: '-?\\d+',
  hostport: '[^"\\s]+',
  any: '[\\s\\S]*',
  nodePort: '\\d+',
};

const placeholder = new RegExp(`<(${Object.keys(patterns).join('|')})(?::([A-Za-z0-9]+\\+?))?>`, 'g');

/** Reports whether an expected text has placeholders. */
export const hasPlaceholder = (text: string): boolean => text.search(placeholder) !== -1;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Values of labelled placeholders in a case so far. */
export class Labels {
  readonly #values = new Map<string, string>();
  readonly #versions = new Map<number, bigint>();

  /** Returns the reason why a value contradicts a label; undefined when it fits, and the value is remembered. */
  faultOf(type: string, label: string, value: string): string | undefined {
    return type === 'rv' ? this.#versionFault(label, BigInt(value)) : this.#valueFault(`${type}:${label}`, value);
  }

  #versionFault(label: string, version: bigint): string | undefined {
    const number = Number(label.replace('+', ''));
    const known = this.#versions.get(number);
    if (label.endsWith('+')) {
      return known !== undefined && version < known ? `${version} is older than rv:${number}, ${known}` : undefined;
    }
    if (known !== undefined) return known === version ? undefined : `${version} is not rv:${number}, ${known}`;
    for (const [other, value] of this.#versions) {
      const isInOrder = other < number ? value < version : value > version;
      if (!isInOrder) return `${version}, rv:${number}, and rv:${other}, ${value}, are in the wrong order`;
    }
    this.#versions.set(number, version);
    return undefined;
  }

  #valueFault(key: string, value: string): string | undefined {
    const known = this.#values.get(key);
    if (known !== undefined) return known === value ? undefined : `${key} was ${known}, now ${value}`;
    const [type = ''] = key.split(':', 1);
    const others = [...this.#values].filter(([other]) => other.startsWith(`${type}:`));
    const twin = type === 'uid' || type === 'gen' ? others.find(([, taken]) => taken === value) : undefined;
    if (twin !== undefined) return `${key} is the same as ${twin[0]}, ${value}`;
    this.#values.set(key, value);
    return undefined;
  }
}

const isNumberFor = (expected: string): boolean => /^<(int|nodePort|any)(:\w+)?>$/.test(expected);

/** Returns the pattern of a text with placeholders, each of which is a group. */
function patternOf(expected: string, slots: readonly RegExpExecArray[]): RegExp {
  let pattern = '';
  let last = 0;
  for (const { 0: whole, 1: type = '', index } of slots) {
    pattern += `${escaped(expected.slice(last, index))}(${patterns[type]})`;
    last = index + whole.length;
  }
  return new RegExp(`^${pattern}${escaped(expected.slice(last))}$`);
}

/** Returns the first contradiction between the values of placeholders and their labels. */
function labelFault(slots: readonly RegExpExecArray[], values: readonly string[], labels: Labels): string | undefined {
  for (const [index, [, type = '', label]] of slots.entries()) {
    const fault = label === undefined ? undefined : labels.faultOf(type, label, values[index]!);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns the deviation of a text from the expected one, which may have placeholders; undefined when it matches. */
export function textFault(expected: string, actual: unknown, labels: Labels): string | undefined {
  const wrong = `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
  if (!hasPlaceholder(expected)) return expected === actual ? undefined : wrong;
  if (expected === '<any>') return undefined;
  const text = typeof actual === 'number' && isNumberFor(expected) ? String(actual) : actual;
  if (typeof text !== 'string') return wrong;
  const slots = [...expected.matchAll(placeholder)];
  const found = patternOf(expected, slots).exec(text);
  return found === null ? wrong : labelFault(slots, found.slice(1), labels);
}
