/** Replaces references to components' networks and to outputs in templates. */

import type { OutputValue } from '../../sdk/index.ts';
import { excerpt, type ValidationResult } from './validation-result.ts';

/** `host:port` by component and network. */
export type Networks = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Values of all references. */
export interface Referents {
  readonly networks: Networks;
  /** Returns the value of an output, named `Condition.name`; undefined while it is not there. */
  outputOf(reference: string): OutputValue | undefined;
}

const opening = '${components::';
const rightForm = `${opening}NAME.networks.NETWORK}`;
const outputForm = '${outputs::CONDITION.NAME}';

function unknown(reference: string, networks: Networks): string {
  const known = [...networks].flatMap(([component, ports]) =>
    [...ports.keys()].map((network) => `${component}.networks.${network}`),
  );
  const list = known.length === 0 ? 'no component has a network' : `known are ${known.join(', ')}`;
  return `${reference} stands for nothing; ${list}`;
}

interface Reference {
  readonly value: OutputValue;
  /** Index after the reference. */
  readonly end: number;
}

/** Resolves a reference to a network, without its braces. */
function networkOf(inner: string, networks: Networks): ValidationResult<string> {
  const reference = excerpt(`${opening}${inner}}`);
  const [component, word, network, ...more] = inner.split('.', 4);
  if (!component || word !== 'networks' || !network || more.length > 0)
    return { kind: 'mistake', reason: `${reference} must read ${rightForm}` };
  const address = networks.get(component)?.get(network);
  return address === undefined
    ? { kind: 'mistake', reason: unknown(reference, networks) }
    : { kind: 'value', value: address };
}

/** Parses the reference whose braces and word, such as `${outputs::`, stand in `text` from `start` to `inner`. */
function referenceAt(
  text: string,
  { start, inner, word }: { readonly start: number; readonly inner: number; readonly word: string | undefined },
  { networks, outputOf }: Referents,
): ValidationResult<Reference> {
  const end = text.indexOf('}', inner) + 1;
  const form = word === 'outputs' ? outputForm : rightForm;
  if (end === 0)
    return { kind: 'mistake', reason: `${excerpt(text.slice(start))} has no closing }: it must read ${form}` };
  const name = text.slice(inner, end - 1);
  if (word !== 'outputs') {
    const found = networkOf(name, networks);
    return found.kind === 'mistake' ? found : { kind: 'value', value: { value: found.value, end } };
  }
  const value = outputOf(name);
  if (value === undefined)
    return { kind: 'mistake', reason: `${excerpt(text.slice(start, end))} is not there; it must read ${form}` };
  return { kind: 'value', value: { value, end } };
}

/** Matches the beginning of a reference. */
const beginning = /\$\{(components|outputs)::/g;

/** Replaces the references of one text from left to right, in one pass. Stops at the first mistake. */
function replaced(text: string, referents: Referents, isSecretKeyRef: boolean): ValidationResult<unknown> {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: whole, 1: word, index: start } of text.matchAll(beginning)) {
    if (start < done) continue;
    const found = referenceAt(text, { start, inner: start + whole.length, word }, referents);
    if (found.kind === 'mistake') return found;
    const { value, end } = found.value;
    if (typeof value === 'object') {
      if (isSecretKeyRef && start === 0 && end === text.length) return { kind: 'value', value: value.secretKeyRef };
      const reason = `${excerpt(text.slice(start, end))} is a key of a Secret: it must be all of a valueFrom.secretKeyRef`;
      return { kind: 'mistake', reason };
    }
    parts.push(text.slice(done, start), value);
    done = end;
  }
  return { kind: 'value', value: [...parts, text.slice(done)].join('') };
}

/** Returns the path of a member, for messages: `template.containers[0].env[1].value`. */
const pathTo = (path: string, name: string, isItem: boolean): string =>
  isItem ? `${path}[${name}]` : `${path}.${name}`;

/** Replaces the references in a value recursively; stops at the first mistake. */
function walked(value: unknown, path: string, referents: Referents): ValidationResult<unknown> {
  if (typeof value === 'string') {
    const replacement = replaced(value, referents, path.endsWith('.valueFrom.secretKeyRef'));
    return replacement.kind === 'value'
      ? replacement
      : { kind: 'mistake', reason: `${excerpt(path)}: ${replacement.reason}` };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'value', value };
  const isList = Array.isArray(value);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const replacement = walked(member, pathTo(path, name, isList), referents);
    if (replacement.kind === 'mistake') return replacement;
    members.push([name, replacement.value]);
  }
  return { kind: 'value', value: isList ? members.map(([, member]) => member) : Object.fromEntries(members) };
}

/**
 * Replaces each `${components::NAME.networks.NETWORK}` in the strings of a template by `host:port`, and each `${outputs::CONDITION.NAME}` by that
 * output; keys and other values stay, and inserted texts are not interpolated again. A `secretKeyRef` that is nothing but a reference to a key of a
 * Secret becomes its name and key. A reference that is unclosed, malformed or unknown is a mistake: its reason names the path and the expected form.
 * Takes time linear in the sizes of the template and of the inserted texts.
 */
export const interpolate = (
  template: object,
  referents: Referents,
): ValidationResult<Readonly<Record<string, unknown>>> =>
  walked(template, 'template', referents) as ValidationResult<Readonly<Record<string, unknown>>>;
