import type { FieldError, FieldErrorType } from '../field-error.ts';
import { equal, type Fields, isFields } from '../objects/object.ts';
import { celValue, createEnvironment, fieldsIn, messageOf } from './cel.ts';
import { correlatedItem } from './correlate.ts';
import type { RuleCheck } from './custom-rules.ts';
import { inDialect } from './dialect.ts';
import { typeNameOf } from './keywords.ts';
import { memberOf, memberPath, type Structural, type ValidationRule } from './structural.ts';

type Evaluate = (context: Fields) => unknown;

/** A rule ready to run. */
interface Compiled {
  readonly rule: ValidationRule;
  /** Whether it is asked about values that have not changed, too. */
  readonly always: boolean;
  readonly usesOld: boolean;
  readonly evaluate: Evaluate;
  readonly message?: Evaluate;
}

/** Where a value stands; `old` is there when it corresponds to a former one. */
interface Place {
  readonly path: string;
  readonly old?: unknown;
}

/** A value to check. */
interface Checked {
  readonly schema: Structural;
  readonly value: unknown;
  readonly place: Place;
}

const typeOfReason: Readonly<Record<string, FieldErrorType>> = {
  FieldValueInvalid: 'Invalid',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
  FieldValueDuplicate: 'Duplicate',
};

interface Fault {
  readonly path: string;
  readonly value: unknown;
  readonly detail: string;
}

const errorBy = ({ reason, fieldPath = '' }: ValidationRule, { path, value, detail }: Fault): FieldError => ({
  type: typeOfReason[reason ?? 'FieldValueInvalid'] ?? 'Invalid',
  field: `${path}${fieldPath}`.replace(/^\./, '') || '<nil>',
  value: typeNameOf(value),
  detail,
});

const messageFor = ({ rule, message }: Compiled, context: Fields): string => {
  const fallback = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
  try {
    const text = message?.(context);
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text.trim() : fallback;
  } catch {
    return fallback;
  }
};

/** Whether a rule says anything about a value: transition rules need a former one, the others a change. */
function applies({ rule, usesOld, always }: Compiled, { value, place }: Checked): boolean {
  if (usesOld) return 'old' in place || rule.optionalOldSelf === true;
  return always || !('old' in place && equal(value, place.old));
}

/** What is wrong with one value by one rule; undefined when nothing is, or when the rule does not apply. */
function faultOf(compiled: Compiled, checked: Checked): FieldError | undefined {
  if (!applies(compiled, checked)) return undefined;
  const { rule, usesOld, evaluate } = compiled;
  const { schema, value, place } = checked;
  const { path } = place;
  const context: Fields = { self: celValue(schema, value) };
  if (usesOld) context.oldSelf = 'old' in place ? celValue(schema, place.old) : null;
  try {
    const holds = evaluate(context) === true;
    return holds ? undefined : errorBy(rule, { path, value, detail: messageFor(compiled, context) });
  } catch (error) {
    const detail = `${messageOf(error)} evaluating rule: ${rule.message?.trim() || rule.rule.trim()}`;
    return errorBy({ rule: rule.rule }, { path, value, detail });
  }
}

/** `oldSelf` of rules that take it as optional is spelt out for the evaluator, which has no optional variables. */
const spelt = ({ rule, optionalOldSelf }: ValidationRule, text = rule): string =>
  optionalOldSelf === true
    ? text.replace(/\boldSelf\b/g, '(oldSelf == null ? optional.none() : optional.of(oldSelf))')
    : text;

function compilerOf(ratcheting: boolean): (schema: Structural) => readonly Compiled[] {
  const environment = createEnvironment();
  const known = new WeakMap<Structural, readonly Compiled[]>();
  const compile = (text: string): Evaluate => {
    const run = environment.parse(inDialect(text));
    return (context) => run(context);
  };
  return (schema) => {
    const rules = schema['x-kubernetes-validations'] ?? [];
    const made = known.get(schema);
    if (made !== undefined || rules.length === 0) return made ?? [];
    const fresh = rules.map((rule) => ({
      rule,
      usesOld: /\boldSelf\b/.test(rule.rule),
      always: !ratcheting,
      evaluate: compile(spelt(rule)),
      ...(rule.messageExpression !== undefined && { message: compile(spelt(rule, rule.messageExpression)) }),
    }));
    known.set(schema, fresh);
    return fresh;
  };
}

/** The part of a resource's metadata that rules may look at. */
function visible(value: Fields): Fields {
  const { name, generateName } = fieldsIn(value.metadata);
  return {
    ...value,
    metadata: { ...(name !== undefined && { name }), ...(generateName !== undefined && { generateName }) },
  };
}

/** Runs a schema's CEL rules, the ones of an object before the ones of its members. Without `ratcheting` rules hold for values that have not changed as well. */
export function ruleCheck(root: Structural, ratcheting = true): RuleCheck {
  const compiledOf = compilerOf(ratcheting);

  function* memberFaults(schema: Structural, value: Fields, place: Place): Generator<FieldError> {
    const old = isFields(place.old) && schema['x-kubernetes-map-type'] !== 'atomic' ? place.old : undefined;
    for (const [name, member] of Object.entries(value)) {
      const below = memberOf(schema, name);
      if (below === undefined) continue;
      const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
      const path = isProperty ? memberPath(place.path, name) : `${place.path}[${name}]`;
      yield* faults(below, member, { path, ...(old?.[name] !== undefined && { old: old[name] }) });
    }
  }

  function* faults(schema: Structural, value: unknown, place: Place): Generator<FieldError> {
    if (value === null || value === undefined) return;
    for (const compiled of compiledOf(schema)) {
      const fault = faultOf(compiled, { schema, value, place });
      if (fault !== undefined) yield fault;
    }
    const { items } = schema;
    if (isFields(value)) yield* memberFaults(schema, value, place);
    else if (Array.isArray(value) && items !== undefined) {
      for (const [index, item] of value.entries()) {
        const old = correlatedItem(schema, place.old, item);
        yield* faults(items, item, { path: `${place.path}[${index}]`, ...(old !== undefined && { old }) });
      }
    }
  }

  return (object, old) => faults(root, visible(object), { path: '', ...(old !== undefined && { old: visible(old) }) });
}
