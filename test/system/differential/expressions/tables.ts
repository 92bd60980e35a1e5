/** Reads the tables of expressions. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const read = (name: string): unknown => parse(readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8'));

/** Lists of expressions by topic. */
export type Expressions = Readonly<Record<string, readonly string[]>>;

/** Reads rules over {@link readSubject}'s schema that compile. */
export const readEvaluations = (): Expressions => read('evaluations') as Expressions;

/** Reads rules over {@link readSubject}'s schema that do not compile. */
export const readMistakes = (): Expressions => read('mistakes') as Expressions;

/** Reads a schema with members of every type, and an object of it. */
export const readSubject = (): { readonly schema: object; readonly object: object } =>
  read('subject') as { readonly schema: object; readonly object: object };

/** Reads policies' specs by topic, and the expressions that are tested in policies in force. */
export const readPolicies = (): {
  readonly validations: readonly string[];
  readonly specs: Readonly<Record<string, readonly object[]>>;
  readonly asked: readonly string[];
} => read('policies') as ReturnType<typeof readPolicies>;
