import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const read = (name: string): unknown => parse(readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8'));

/** Lists of expressions by what they are about. */
export type Expressions = Readonly<Record<string, readonly string[]>>;

/** Rules over {@link readSubject}'s schema that compile. */
export const readEvaluations = (): Expressions => read('evaluations') as Expressions;

/** Rules over {@link readSubject}'s schema that do not compile. */
export const readMistakes = (): Expressions => read('mistakes') as Expressions;

/** A schema with something of everything, and an object of it. */
export const readSubject = (): { readonly schema: object; readonly object: object } =>
  read('subject') as { readonly schema: object; readonly object: object };

/** Policies' specs, by what they are about, and the expressions that are asked of policies at work. */
export const readPolicies = (): {
  readonly validations: readonly string[];
  readonly specs: Readonly<Record<string, readonly object[]>>;
  readonly asked: readonly string[];
} => read('policies') as ReturnType<typeof readPolicies>;
