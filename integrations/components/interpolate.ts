/** Replaces references to components' networks in templates. */

import { type Checked, excerpt } from './checked.ts';

/** `host:port` by component and network. */
export type Networks = ReadonlyMap<string, ReadonlyMap<string, string>>;

const opening = '${components::';
const rightForm = `${opening}NAME.networks.NETWORK}`;

function unknown(reference: string, networks: Networks): string {
  const known = [...networks].flatMap(([component, ports]) =>
    [...ports.keys()].map((network) => `${component}.networks.${network}`),
  );
  const list = known.length === 0 ? 'no component has a network' : `known are ${known.join(', ')}`;
  return `${reference} stands for nothing; ${list}`;
}

interface Reference {
  /** `host:port` */
  readonly address: string;
  /** Index after the reference. */
  readonly end: number;
}

/** Parses the reference that starts at `start`. */
function referenceAt(text: string, start: number, networks: Networks): Checked<Reference> {
  const end = text.indexOf('}', start) + 1;
  if (end === 0)
    return { kind: 'mistake', reason: `${excerpt(text.slice(start))} has no closing }: it must read ${rightForm}` };
  const reference = excerpt(text.slice(start, end));
  const [component, word, network, ...more] = text.slice(start + opening.length, end - 1).split('.', 4);
  if (!component || word !== 'networks' || !network || more.length > 0)
    return { kind: 'mistake', reason: `${reference} must read ${rightForm}` };
  const address = networks.get(component)?.get(network);
  if (address === undefined) return { kind: 'mistake', reason: unknown(reference, networks) };
  return { kind: 'value', value: { address, end } };
}

/** Replaces the references of one text from left to right, in one pass. Stops at the first mistake. */
function replaced(text: string, networks: Networks): Checked<string> {
  const parts: string[] = [];
  let done = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, done)) {
    const found = referenceAt(text, start, networks);
    if (found.kind === 'mistake') return found;
    parts.push(text.slice(done, start), found.value.address);
    done = found.value.end;
  }
  return { kind: 'value', value: [...parts, text.slice(done)].join('') };
}

/** Returns the path of a member, for messages: `template.containers[0].env[1].value`. */
const pathTo = (path: string, name: string, isItem: boolean): string =>
  isItem ? `${path}[${name}]` : `${path}.${name}`;

/** Replaces the references in a value recursively; stops at the first mistake. */
function walked(value: unknown, path: string, networks: Networks): Checked<unknown> {
  if (typeof value === 'string') {
    const made = replaced(value, networks);
    return made.kind === 'value' ? made : { kind: 'mistake', reason: `${excerpt(path)}: ${made.reason}` };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'value', value };
  const isList = Array.isArray(value);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const made = walked(member, pathTo(path, name, isList), networks);
    if (made.kind === 'mistake') return made;
    members.push([name, made.value]);
  }
  return { kind: 'value', value: isList ? members.map(([, member]) => member) : Object.fromEntries(members) };
}

/**
 * Replaces each `${components::NAME.networks.NETWORK}` in the strings of a template by `host:port`; keys and everything else stay. A reference that
 * is unclosed, malformed or to an unknown network is a mistake: its reason names the path and the expected form. Takes time linear in the size of the
 * template.
 */
export const interpolate = (template: object, networks: Networks): Checked<Readonly<Record<string, unknown>>> =>
  walked(template, 'template', networks) as Checked<Readonly<Record<string, unknown>>>;
