/** Validation of the CEL rules of a CustomResourceDefinition: compilation and cost. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { equal, type Fields } from '../apimachinery/object.ts';
import { unlimited } from '../cel/functions/size-ranges.ts';
import { occurrences, sizedTypeOf } from '../cel/typing/decl-types.ts';
import { additionalOf, hasRules, type Structural, structuralOf, type ValidationRule } from '../schema/structural.ts';
import { type CompiledExpression, type CompiledRule, compiledRules } from './compile-validation-rules.ts';
import { type DefinitionVersion, definitionSpecOf } from './definition.ts';

const expressionLimit = 10_000_000;
const definitionLimit = 100_000_000;

/** Formats a rule as the Go struct it is decoded to. */
const goRule = (rule: ValidationRule): Fields => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});

function costExceededMessage(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100' : factor.toFixed(factor < 1.5 ? 6 : 1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${shown}x (${advice})`;
}

/** Position of a schema in a definition. */
interface SchemaPosition {
  readonly path: string;
  /** Largest number of its values in an object; undefined when it is unlimited. */
  readonly count: number | undefined;
  /** Path of an enclosing list whose items cannot be correlated between writes. */
  readonly uncorrelated?: string;
}

/** Validation of a definition's rules: their errors and total estimated cost. */
class RuleValidation {
  readonly errors: FieldError[] = [];
  readonly #ignoresCosts: boolean;
  #total = 0;
  readonly #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** Unless `ignoresCosts`, single rules that are too expensive are refused. */
  constructor(ignoresCosts: boolean) {
    this.#ignoresCosts = ignoresCosts;
  }

  #count(path: string, what: string, cost: number): void {
    if (!this.#ignoresCosts && cost > expressionLimit)
      this.errors.push({ type: 'Forbidden', field: path, detail: costExceededMessage(what, cost, expressionLimit) });
    this.#total = Math.min(this.#total + cost, unlimited);
    if (cost >= definitionLimit / 100) this.#expensive.push({ path, cost });
  }

  #checkExpression(
    expression: CompiledExpression,
    { rule }: CompiledRule,
    [path, what, times]: readonly [string, string, number],
  ): void {
    const isFine = 'program' in expression;
    this.#count(path, what, isFine ? Math.min(expression.cost * times, unlimited) : 0);
    if (!isFine) this.errors.push({ type: 'Invalid', field: path, value: goRule(rule), detail: expression.fault });
  }

  /** Checks a rule at its position, with the largest number of its evaluations. */
  rule(compiled: CompiledRule, { path, count, uncorrelated }: SchemaPosition & { readonly count: number }): void {
    const { rule, condition, message, usesOld } = compiled;
    this.#checkExpression(condition, compiled, [`${path}.rule`, 'estimated rule cost', count]);
    if (message !== undefined)
      this.#checkExpression(message, compiled, [`${path}.messageExpression`, 'estimated messageExpression cost', 1]);
    if (usesOld && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.errors.push({ type: 'Invalid', field: `${path}.rule`, value: rule.rule, detail });
    }
    if (!usesOld && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push({ type: 'Invalid', field: `${path}.optionalOldSelf`, value: rule.optionalOldSelf, detail });
    }
  }

  /** Returns the errors, including those of the total cost. */
  finish(path: string): readonly FieldError[] {
    if (this.#total <= definitionLimit) return this.errors;
    const worst = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, 4);
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.errors,
      ...worst.map(({ path: field }): FieldError => ({ type: 'Forbidden', field, detail })),
      { type: 'Forbidden', field: path, detail: costExceededMessage(what, this.#total, definitionLimit) },
    ];
  }
}

const product = (count: number | undefined, most: number | undefined): number | undefined =>
  count === undefined || most === undefined ? undefined : Math.min(count * Math.max(0, most), unlimited);

function checkRulesBelow(schema: Structural, position: SchemaPosition, validation: RuleValidation): void {
  if (!hasRules(schema)) return;
  const { path, count, ...rest } = position;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    checkRulesBelow(property, { ...position, path: `${path}.properties[${name}]` }, validation);
  }
  const additional = additionalOf(schema);
  if (additional !== undefined) {
    const below = product(count, schema.maxProperties);
    checkRulesBelow(additional, { ...rest, path: `${path}.additionalProperties`, count: below }, validation);
  }
  if (schema.items !== undefined) {
    const below = { path: `${path}.items`, count: product(count, schema.maxItems) };
    const isKeyed = schema['x-kubernetes-list-type'] === 'map';
    checkRulesBelow(schema.items, isKeyed ? { ...rest, ...below } : { uncorrelated: path, ...below }, validation);
  }
  checkOwnRules(schema, position, validation);
}

function checkOwnRules(schema: Structural, position: SchemaPosition, validation: RuleValidation): void {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isRoot = position.path.endsWith('.openAPIV3Schema');
  const self = sizedTypeOf(schema, isRoot || schema['x-kubernetes-embedded-resource']);
  if (rules.length === 0 || self === undefined) return;
  const indexes = new Map(rules.map((rule, index) => [rule, index]));
  for (const compiled of compiledRules(rules, self)) {
    const path = `${position.path}.x-kubernetes-validations[${indexes.get(compiled.rule)}]`;
    validation.rule(compiled, { ...position, path, count: position.count ?? occurrences(self) });
  }
}

const schemaIn = ({ schema }: DefinitionVersion): Structural => structuralOf(schema?.openAPIV3Schema ?? {});

function problemsOf(
  version: DefinitionVersion,
  path: string,
  former: readonly DefinitionVersion[],
): readonly FieldError[] {
  const isUnchanged = former.some(
    ({ name, ...old }) => name === version.name && equal(schemaIn({ name, ...old }), schemaIn(version)),
  );
  const validation = new RuleValidation(isUnchanged);
  checkRulesBelow(schemaIn(version), { path, count: 1 }, validation);
  return validation.finish(path);
}

/** Checks the rules of a definition: that they compile and are not too expensive; `old` is the definition that it replaces. */
export function* ruleProblems(crd: Fields, old?: Fields): Generator<FieldError> {
  const versions = definitionSpecOf(crd).versions ?? [];
  const former = old === undefined ? [] : (definitionSpecOf(old).versions ?? []);
  const [first] = versions;
  if (first === undefined) return;
  if (versions.every((version) => equal(schemaIn(version), schemaIn(first)))) {
    yield* problemsOf(first, 'spec.validation.openAPIV3Schema', former);
    return;
  }
  for (const [index, version] of versions.entries()) {
    yield* problemsOf(version, `spec.versions[${index}].schema.openAPIV3Schema`, former);
  }
}
