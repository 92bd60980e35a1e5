/** Compares answers of two servers. */

import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './ask.ts';

/** A difference between the in-memory server's answer and the real one's. */
export interface Difference {
  /** Path: `status`, `headers.warning`, `body.spec.replicas`. */
  readonly path: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* between(ours: unknown, theirs: unknown, path: string): Generator<Difference> {
  if (isDeepStrictEqual(ours, theirs)) return;
  if (isObject(ours) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      yield* between(ours[name], theirs[name], `${path}.${name}`);
    }
  } else if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    for (const [index, item] of theirs.entries()) yield* between(ours[index], item, `${path}[${index}]`);
  } else yield { path, ours, theirs };
}

const messageOf = ({ status, body }: Answer): string =>
  `${status} ${(isObject(body) && body.kind === 'Status' ? body.message : undefined) ?? (typeof body === 'string' ? body : '')}`;

/** Returns the differences; for two refusals only those of their messages, and if these are equal, those of their contents. */
export function differencesOf(ours: Answer, theirs: Answer): readonly Difference[] {
  if (ours.status !== theirs.status || (theirs.status >= 400 && messageOf(ours) !== messageOf(theirs))) {
    return [{ path: 'message', ours: messageOf(ours), theirs: messageOf(theirs) }];
  }
  return [...between(ours.headers, theirs.headers, 'headers'), ...between(ours.body, theirs.body, 'body')];
}

const shape = (text: unknown): string =>
  (typeof text === 'string' ? text : (JSON.stringify(text) ?? 'nothing'))
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\d+/g, '0')
    .slice(0, 160);

/** Key common to differences that probably have one cause. */
export const causeOf = ({ path, theirs }: Difference): string =>
  path === 'message' ? shape(theirs) : path.replace(/\[\d+\]/g, '[]');
