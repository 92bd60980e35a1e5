/** Summarizes answers as lines. */

import { createHash } from 'node:crypto';
import { sortedJson } from '../../../cluster/apimachinery/field-error.ts';
import type { Answer } from './ask.ts';
import { Portraits } from './portrait.ts';
import type { Family, Scenario, Step } from './scenario.ts';

const isStatus = (body: unknown): body is { readonly message: string } =>
  typeof body === 'object' && body !== null && 'message' in body && 'status' in body;

/** Summarizes an answer in a line: a refusal by its message, all others by a hash of their contents. */
function lineOf({ status, headers, body }: Answer, withHeaders: boolean): string {
  if (status >= 400 && isStatus(body)) return `${status} ${body.message}`;
  const { warning = '' } = headers;
  const hash = createHash('sha256')
    .update(sortedJson(withHeaders ? [headers, body] : body))
    .digest('hex')
    .slice(0, 12);
  return `${status} ${hash}${warning}`;
}

/** Summarizes the answers to a scenario, one line each; servers that answer alike have equal summaries. */
export function summaryOf(scenario: Scenario, answers: readonly Answer[], family: Family): readonly string[] {
  const portraits = new Portraits(JSON.stringify(scenario.steps), family);
  // The timing of controllers is random.
  const isByChance = ({ silent = false }: Step): boolean => silent && family.controllers === 'more';
  return answers.map((answer, index) => {
    const portrait = portraits.of(answer);
    return isByChance(scenario.steps[index]!) ? 'whatever' : lineOf(portrait, family.headers !== undefined);
  });
}

/** Summaries by scenario name. */
export type Summaries = Readonly<Record<string, readonly string[]>>;

/** Reports whether a scenario belongs to the share of one in `count`, the same in every run. */
export const isOneOf = (count: number, { name }: Scenario): boolean =>
  createHash('sha256').update(name).digest().readUInt32BE() % count === 0;
