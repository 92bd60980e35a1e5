/** References to outputs in texts, `${outputs::CONDITION.NAME}`: finds and replaces them. */

import type { Workspace } from '../../api/workspace.ts';
import { isOutputName, type OutputValue } from './outputs.ts';

/** Output of a condition. */
export interface OutputReference {
  readonly condition: string;
  readonly output: string;
}

/** Parses `Condition.name`; undefined for any other text. */
export function parseOutputReference(text: string): OutputReference | undefined {
  const dot = text.lastIndexOf('.');
  const [condition, output] = [text.slice(0, Math.max(0, dot)), text.slice(dot + 1)];
  return /^[^\s${}]{1,316}$/.test(condition) && isOutputName(output) ? { condition, output } : undefined;
}

/** Matches a reference, or an unclosed one up to the end of the text. Takes linear time: no character is read twice. */
const pattern = /\$\{outputs::([^}]*)(\}?)/g;

/** Returns all texts in a JSON value, however deep, in its order. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string') texts.push(one);
    else if (typeof one === 'object' && one !== null)
      for (const member of Object.values(one).toReversed()) open.push(member);
  }
  return texts;
}

/**
 * Returns the references to outputs in the texts of a JSON value, each once, as `Condition.name`; a malformed one is returned as written, and the
 * sequencer refuses it. Takes time linear in the size of the value.
 */
export function outputReferences(value: unknown): readonly string[] {
  const found = new Set<string>();
  for (const text of textsIn(value))
    for (const [whole, reference = '', end] of text.matchAll(pattern))
      found.add(end !== '' && parseOutputReference(reference) !== undefined ? reference : whole);
  return [...found];
}

/** Returns the value of an output, named `Condition.name`; undefined while it is not there. */
export function outputOf({ status }: Workspace, reference: string): OutputValue | undefined {
  const { condition = '', output = '' } = parseOutputReference(reference) ?? {};
  const held = own(status?.outputs, condition);
  const secretKeyRef = own(held?.secrets, output);
  return secretKeyRef === undefined ? own(held?.values, output) : { secretKeyRef };
}

/** Returns an own member, never an inherited one: names come from tenants. */
const own = <T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;

function replaceReferences(workspace: Workspace, text: string): unknown {
  const whole = /^\$\{outputs::([^}]*)\}$/.exec(text)?.[1];
  const value = whole === undefined ? undefined : outputOf(workspace, whole);
  if (typeof value === 'object') return value.secretKeyRef;
  return text.replaceAll(pattern, (found, reference: string, end: string) => {
    const inText = end === '' ? undefined : outputOf(workspace, reference);
    if (typeof inText === 'string') return inText;
    if (inText === undefined) throw new Error(`${found.slice(0, 140)} is not there yet`);
    throw new Error(`${found} is a key of a Secret, and cannot be part of a text`);
  });
}

/**
 * Returns a JSON value with the references in its texts replaced by the outputs that the workspace holds; inserted values are not searched. A text
 * that is nothing but a reference to a key of a Secret becomes `{ name, key }`. Keys stay. Takes time linear in the sizes of both.
 * @throws Error for an output that is not there, or a key of a Secret amid a text
 */
export function withOutputs<T>(workspace: Workspace, value: T): T {
  if (typeof value === 'string') return replaceReferences(workspace, value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withOutputs<unknown>(workspace, item)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withOutputs<unknown>(workspace, member)]),
  ) as T;
}
