/** Evaluates the CEL rules of a schema on custom resources. */

import type { FieldError, FieldErrorType } from '../apimachinery/field-error.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { callLimit, frameOf } from '../cel/environment.ts';
import type { Frame } from '../cel/frame.ts';
import { typedValue } from '../cel/json-values.ts';
import { type SizedType, sizedTypeOf, withResourceFields } from '../cel/typing/decl-types.ts';
import { CostExceeded } from '../cel/values/uncosted-work.ts';
import { CelError, Optional, type Value } from '../cel/values/values.ts';
import { correlating } from '../schema/correlate.ts';
import { fieldPathIn } from '../schema/field-path.ts';
import { additionalOf, hasRules, memberPath, type Structural, type ValidationRule } from '../schema/structural.ts';
import { type CompiledExpression, type CompiledRule, compiledRules } from './compile-validation-rules.ts';
import type { RuleCheck } from './custom-resource-rules.ts';

const budgetOfObject = 10_000_000;
const maxMessageLength = 5 * 1024;

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Stops the rules of an object that exceeds its cost limit. */
class BudgetExceeded extends Error {}

interface CheckedValue {
  readonly schema: Structural;
  readonly value: unknown;
  readonly path: string;
  /** Former value that rules can compare with. */
  readonly old?: unknown;
  /** True when its errors existed before. */
  readonly unchanged: boolean;
}

const typeOfReason: Readonly<Record<string, FieldErrorType>> = {
  FieldValueInvalid: 'Invalid',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
  FieldValueDuplicate: 'Duplicate',
};

const shownRule = ({ message, rule }: ValidationRule): string => (message || rule).trim();

const plainMessage = (rule: ValidationRule): string =>
  rule.message ? rule.message.trim() : `failed rule: ${shownRule(rule)}`;

/** Returns the text of a message expression; undefined when it is unusable. */
function messageTextOf(value: Value): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageLength ? undefined : text;
}

/** Evaluation of an expression: its value, undefined when it was stopped, and its cost. */
interface Run {
  readonly value: Value | undefined;
  readonly cost: number;
}

function runExpression(expression: CompiledExpression, variables: (name: string) => Value | undefined): Run {
  if ('fault' in expression) return { value: new CelError(expression.fault), cost: 0 };
  const frame: Frame = frameOf(variables, callLimit);
  try {
    const value = expression.program.run(frame);
    return { value, cost: frame.cost };
  } catch (error) {
    if (!(error instanceof CostExceeded)) throw error;
    return { value: undefined, cost: frame.cost };
  }
}

/** Compiled rules of a schema and its nested ones, cached on first use. */
interface RuleCache {
  rulesOf(schema: Structural, isRoot: boolean): readonly CompiledRule[];
  /** Reports whether a schema or any nested one has rules. */
  hasRulesBelow(schema: Structural): boolean;
}

/** Evaluation of the rules of one object in one write, within its cost budget. */
class RuleEvaluation {
  readonly found: FieldError[] = [];
  #budget = budgetOfObject;
  readonly #rules: RuleCache;
  /** True to tolerate errors of unchanged values. */
  readonly #ratchets: boolean;

  constructor(rules: RuleCache, ratchets: boolean) {
    this.#rules = rules;
    this.#ratchets = ratchets;
  }

  #report(
    { path, schema }: CheckedValue,
    detail: string,
    { reason, fieldPath, tolerated = false }: Partial<ValidationRule> & { readonly tolerated?: boolean } = {},
  ): void {
    const below = fieldPath ? fieldPathIn(schema, fieldPath) : undefined;
    const field = (below === undefined ? path : memberPath(path, below)) || '<nil>';
    const type = typeOfReason[reason ?? 'FieldValueInvalid'] ?? 'Invalid';
    const said = { type, field, value: schema.type ?? '', ...(type !== 'Duplicate' && { detail }) };
    this.found.push(tolerated ? { ...said, tolerated } : said);
  }

  #stop(checked: CheckedValue, detail: string): never {
    this.#report(checked, detail);
    throw new BudgetExceeded();
  }

  #spend(checked: CheckedValue, { cost }: Run, otherwise: string): void {
    if (cost > this.#budget) this.#stop(checked, otherwise);
    this.#budget -= cost;
  }

  /** Evaluates a rule on a value and records its error. */
  #evaluateRule(checked: CheckedValue, compiled: CompiledRule, variables: (name: string) => Value | undefined): void {
    const { rule, condition, usesOld } = compiled;
    const run = runExpression(condition, variables);
    this.#spend(checked, run, outOfBudget);
    const shown = shownRule(rule);
    if (run.value === undefined) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#stop(checked, `'operation cancelled: actual cost limit exceeded': ${why}: ${shown}`);
    }
    if (run.value instanceof CelError) {
      const { message } = run.value;
      const why = 'call arguments did not match a supported operator, function or macro signature for rule';
      const isOverload = message.startsWith('no such overload');
      this.#report(checked, isOverload ? `'${message}': ${why}: ${shown}` : `${message} evaluating rule: ${shown}`);
    } else if (run.value !== true) {
      const message = this.#messageOf(checked, compiled, variables);
      this.#report(checked, message, { ...rule, tolerated: !usesOld && checked.unchanged });
    }
  }

  #messageOf(
    checked: CheckedValue,
    { rule, message }: CompiledRule,
    variables: (name: string) => Value | undefined,
  ): string {
    if (message === undefined) return plainMessage(rule);
    const run = runExpression(message, variables);
    this.#spend(
      checked,
      run,
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    );
    if (run.value === undefined) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      this.#stop(checked, `${why}: ${JSON.stringify(rule.messageExpression)}`);
    }
    return messageTextOf(run.value) ?? plainMessage(rule);
  }

  #own(checked: CheckedValue, isRoot: boolean): void {
    const rules = this.#rules.rulesOf(checked.schema, isRoot);
    if (rules.length === 0) return;
    if (this.#budget <= 0) this.#stop(checked, outOfBudget);
    const seen = isRoot ? withResourceFields(checked.schema) : checked.schema;
    const self = typedValue(seen, checked.value);
    const old = checked.old === undefined ? undefined : typedValue(seen, checked.old);
    for (const compiled of rules) {
      const isOptional = compiled.rule.optionalOldSelf === true;
      if (compiled.usesOld && old === undefined && !isOptional) continue;
      const oldSelf = isOptional ? new Optional(old) : old;
      this.#evaluateRule(checked, compiled, (name) =>
        name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined,
      );
    }
  }

  /** Checks a value and its members. */
  walk(checked: CheckedValue, isRoot: boolean): void {
    const { schema, value } = checked;
    if (value === null || value === undefined || !this.#rules.hasRulesBelow(schema)) return;
    this.#own(checked, isRoot);
    if (Array.isArray(value)) this.#items(checked, value);
    else if (isFields(value)) this.#members(checked, value);
  }

  #members(checked: CheckedValue, value: Fields): void {
    const { schema, path, unchanged } = checked;
    const former = isFields(checked.old) ? checked.old : undefined;
    const additional = additionalOf(schema);
    for (const [name, member] of Object.entries(value)) {
      const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
      const below = isProperty ? schema.properties![name]! : additional;
      if (below === undefined) continue;
      const old = former?.[name];
      const isEqual = former === undefined ? unchanged : this.#ratchets && equal(member, old);
      const at = isProperty ? memberPath(path, name) : `${path}[${name}]`;
      this.#below({ schema: below, value: member, path: at, old, unchanged: isEqual });
    }
  }

  #items({ schema, path, old: former, unchanged }: CheckedValue, value: readonly unknown[]): void {
    const { items } = schema;
    if (items === undefined) return;
    const isKeyed = schema['x-kubernetes-list-type'] === 'map' && Array.isArray(former);
    const correlated = correlating(schema, former);
    for (const [index, item] of value.entries()) {
      const old = correlated(item);
      const isEqual = isKeyed ? this.#ratchets && equal(item, old) : unchanged;
      this.#below({ schema: items, value: item, path: `${path}[${index}]`, old, unchanged: isEqual });
    }
  }

  #below(checked: CheckedValue): void {
    this.walk(checked, checked.schema['x-kubernetes-embedded-resource'] === true);
  }
}

function createRuleCache(): RuleCache {
  const known = new WeakMap<Structural, readonly CompiledRule[]>();
  const found = new WeakMap<Structural, boolean>();
  return {
    rulesOf(schema, isRoot) {
      const made = known.get(schema);
      if (made !== undefined) return made;
      const rules = schema['x-kubernetes-validations'] ?? [];
      const self: SizedType | undefined = rules.length === 0 ? undefined : sizedTypeOf(schema, isRoot);
      const compiled = self === undefined ? [] : compiledRules(rules, self);
      known.set(schema, compiled);
      return compiled;
    },
    hasRulesBelow(schema) {
      const before = found.get(schema);
      if (before !== undefined) return before;
      const has = hasRules(schema);
      found.set(schema, has);
      return has;
    },
  };
}

/**
 * Returns the check of a schema's CEL rules, those of an object before those of its members.
 * Without `ratcheting` unchanged values are checked too.
 */
export function createRuleCheck(root: Structural, ratcheting = true): RuleCheck {
  const rules = createRuleCache();
  return (object, old) => {
    const examination = new RuleEvaluation(rules, ratcheting);
    const unchanged = ratcheting && old !== undefined && equal(object, old);
    try {
      examination.walk({ schema: root, value: object, path: '', old, unchanged }, true);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    }
    return examination.found;
  };
}
