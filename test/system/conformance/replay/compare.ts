/** Compares answers with recorded ones. */

import { isDeepStrictEqual } from 'node:util';
import { isJson, valueAt } from './paths.ts';
import { hasPlaceholder, type Labels, textFault } from './placeholders.ts';
import type { Json, RecordedResponse } from './recording.ts';

/** A received answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** JSON body; undefined when the body is not JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** Manner of comparison. */
export interface Comparison {
  readonly labels: Labels;
  /** Objects may have further members, lists further items. */
  readonly contains: boolean;
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '(absent)';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

const keyFor = (expected: string, actual: Json, labels: Labels): string | undefined => {
  if (expected in actual) return expected;
  if (!hasPlaceholder(expected)) return undefined;
  return Object.keys(actual).find((key) => textFault(expected, key, labels) === undefined);
};

function* listFaults(expected: readonly unknown[], actual: unknown, at: Comparison): Generator<string> {
  if (!Array.isArray(actual)) return yield `: expected a list ${shown(expected)}, got ${shown(actual)}`;
  if (!at.contains) {
    if (expected.length !== actual.length) yield `: expected ${expected.length} items, got ${shown(actual)}`;
    for (const [index, item] of expected.slice(0, actual.length).entries()) {
      for (const fault of faults(item, actual[index], at)) yield `[${index}]${fault}`;
    }
    return;
  }
  let next = 0;
  for (const [index, item] of expected.entries()) {
    const found = actual.findIndex((one, place) => place >= next && [...faults(item, one, at)].length === 0);
    if (found === -1) return yield `[${index}]: no item, in order, contains ${shown(item)}`;
    next = found + 1;
  }
}

function* memberFaults(expected: Json, actual: unknown, at: Comparison): Generator<string> {
  if (!isJson(actual)) return yield `: expected ${shown(expected)}, got ${shown(actual)}`;
  const used = new Set<string>();
  for (const [name, member] of Object.entries(expected)) {
    const key = keyFor(name, actual, at.labels);
    if (key === undefined) yield `.${name}: expected ${shown(member)}, got (absent)`;
    else {
      used.add(key);
      for (const fault of faults(member, actual[key], at)) yield `.${name}${fault}`;
    }
  }
  if (at.contains) return;
  for (const key of Object.keys(actual)) if (!used.has(key)) yield `.${key}: not expected, got ${shown(actual[key])}`;
}

/** Yields every deviation from the expected value, each starting with its path. */
export function* faults(expected: unknown, actual: unknown, at: Comparison): Generator<string> {
  if (typeof expected === 'string') {
    const fault = textFault(expected, actual, at.labels);
    if (fault !== undefined) yield `: ${fault}`;
  } else if (Array.isArray(expected)) yield* listFaults(expected, actual, at);
  else if (isJson(expected)) yield* memberFaults(expected, actual, at);
  else if (!isDeepStrictEqual(expected, actual)) yield `: expected ${shown(expected)}, got ${shown(actual)}`;
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** Returns the causes of a refusal; none of any other body. */
function causesOf(body: Json): readonly Cause[] {
  const isRefusal = body.kind === 'Status' && ['Invalid', 'Conflict'].includes(String(body.reason));
  return isRefusal && isJson(body.details) ? ((body.details.causes as Cause[] | undefined) ?? []) : [];
}

const textOfCause = ({ field, message }: Cause): string =>
  `${field}: ${message}`.replace(/ at \d{4}-\d\d-\d\dT[\d:.]+Z| at <time>/, '');

/** Returns the message of a refusal with these causes in place of its own ones, if it lists them. */
function messageWith(causes: readonly Cause[], message: unknown): unknown {
  const [, start, list] = /^([\s\S]*? is invalid: \[)([\s\S]*)\]$/.exec(String(message ?? '')) ?? [];
  const joined = causes.map(textOfCause).join(', ');
  return list?.length === joined.length ? `${start}${joined}]` : message;
}

/** Sorts the causes of a Status and their texts in its message, which have no fixed order. */
function inOrder(body: unknown): unknown {
  if (!isJson(body)) return body;
  const causes = causesOf(body);
  if (causes.length < 2) return body;
  const sorted = [...causes].sort((a, b) => (textOfCause(a) < textOfCause(b) ? -1 : 1));
  const details = { ...(body.details as Json), causes: sorted };
  return { ...body, message: messageWith(sorted, body.message), details };
}

const nameOf = (item: unknown): string => String(valueAt(item, 'metadata.name') ?? '');

function withSortedItems(body: unknown): unknown {
  if (!isJson(body) || !Array.isArray(body.items)) return body;
  return { ...body, items: [...body.items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) };
}

function* headerFaults({ headers = {} }: RecordedResponse, answer: Answer, labels: Labels): Generator<string> {
  for (const [name, expected] of Object.entries(headers)) {
    const actual = answer.headers[name];
    if (expected !== null)
      for (const one of faults(expected, actual, { labels, contains: false })) yield `.${name}${one}`;
    else if (actual !== undefined) yield `.${name}: not expected, got ${shown(actual)}`;
  }
}

function* partFaults(
  { parts = {}, absent = [] }: RecordedResponse,
  { body }: Answer,
  labels: Labels,
): Generator<string> {
  const unexpected = [...absent, ...Object.keys(parts).filter((path) => parts[path] === '<absent>')];
  for (const path of unexpected) {
    const actual = valueAt(body, path);
    if (actual !== undefined) yield `.${path}: not expected, got ${shown(actual)}`;
  }
  for (const [path, expected] of Object.entries(parts)) {
    if (expected === '<absent>') continue;
    for (const fault of faults(expected, valueAt(body, path), { labels, contains: false })) yield `.${path}${fault}`;
  }
}

function* bodyFaults(expected: RecordedResponse, answer: Answer, labels: Labels): Generator<string> {
  const { body, bodyMatch, itemsSorted, length } = expected;
  if (body !== undefined) {
    const actual = itemsSorted ? withSortedItems(answer.body) : inOrder(answer.body);
    yield* faults(inOrder(body), actual, { labels, contains: bodyMatch === 'contains' });
  }
  const items = valueAt(answer.body, 'items');
  if (length !== undefined && (items as unknown[] | undefined)?.length !== length) {
    yield `.items: expected ${length} items, got ${shown(items)}`;
  }
  yield* partFaults(expected, answer, labels);
}

/** Yields every deviation of an answer from the recorded one. */
export function* responseFaults(expected: RecordedResponse, answer: Answer, labels: Labels): Generator<string> {
  const { status, text } = expected;
  if (status !== undefined && status !== answer.status) {
    return yield `status: expected ${status}, got ${answer.status} ${answer.text.slice(0, 500)}`;
  }
  for (const fault of headerFaults(expected, answer, labels)) yield `headers${fault}`;
  for (const fault of bodyFaults(expected, answer, labels)) yield `body${fault}`;
  const fault = text === undefined ? undefined : textFault(text, answer.text, labels);
  if (fault !== undefined) yield `text: ${fault}`;
}
