/** Checks the CEL expressions of device selectors. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, invalid, listOf } from '../../apimachinery/validation/errors.ts';
import { createEnvironment, type Environment } from '../../cel/environment.ts';
import { mapOf, structOf, type Type, types } from '../../cel/typing/cel-type.ts';
import { libraryType } from '../../cel/typing/declarations.ts';

const device = 'kubernetes.DRADevice';
const { string: text, dyn } = types;

/** Fields of a device in expressions. */
const fields: Readonly<Record<string, Type>> = {
  driver: text,
  attributes: mapOf(text, mapOf(text, dyn)),
  capacity: mapOf(text, mapOf(text, libraryType('quantity'))),
};

const deviceEnvironment = (): Environment =>
  createEnvironment([['device', structOf(device)]], (struct) =>
    struct === device ? (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined) : undefined,
  );

const maxLength = 10 * 1024;

function faultOf(environment: Environment, expression: string): string | undefined {
  const made = environment.compile(expression);
  if ('fault' in made) return `compilation failed: ${made.fault}`;
  if ('unusable' in made) return made.unusable;
  const { kind, name } = made.type;
  return ['bool', 'dyn', 'any'].includes(kind) ? undefined : `must evaluate to bool or the unknown type, not ${name}`;
}

function* selectorProblems(selectors: unknown, path: string, environment: Environment): Generator<FieldError> {
  for (const [index, { cel }] of listOf(selectors).entries()) {
    if (cel === undefined || cel === null) continue;
    const expression = String(fieldsOf(cel).expression ?? '');
    const fault = Buffer.byteLength(expression) > maxLength ? undefined : faultOf(environment, expression);
    if (fault !== undefined) yield invalid(`${path}[${index}].cel.expression`, expression, fault);
  }
}

function* claimProblems(spec: unknown, path: string): Generator<FieldError> {
  const environment = deviceEnvironment();
  for (const [index, request] of listOf(fieldsOf(fieldsOf(spec).devices).requests).entries()) {
    const at = `${path}.devices.requests[${index}]`;
    for (const [place, one] of listOf(request.firstAvailable).entries()) {
      yield* selectorProblems(one.selectors, `${at}.firstAvailable[${place}].selectors`, environment);
    }
    yield* selectorProblems(fieldsOf(request.exactly).selectors, `${at}.exactly.selectors`, environment);
  }
}

const twice = function* (problems: () => Generator<FieldError>, old: Fields | undefined): Generator<FieldError> {
  yield* problems();
  if (old !== undefined) yield* problems();
};

/** Checks the expressions of a DeviceClass. */
export const classProblems = (object: Fields, old?: Fields): Iterable<FieldError> =>
  twice(() => selectorProblems(fieldsOf(object.spec).selectors, 'spec.selectors', deviceEnvironment()), old);

/** Checks the expressions of a ResourceClaim. */
export const claimSelectorProblems = (object: Fields, old?: Fields): Iterable<FieldError> =>
  twice(() => claimProblems(object.spec, 'spec'), old);

/** Checks the expressions of a ResourceClaimTemplate. */
export const templateProblems = (object: Fields, old?: Fields): Iterable<FieldError> =>
  twice(() => claimProblems(fieldsOf(object.spec).spec, 'spec.spec'), old);
