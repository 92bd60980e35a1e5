/** Rules of built-in kinds. */

import type { FieldError } from '../apimachinery/field-error.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { builtinMergeTypes } from '../managed-fields/builtin-merge-type.ts';
import { patchShapeOf } from '../resources/builtin-patch-meta.ts';
import { decodeAs, decodeWritten } from '../resources/decode.ts';
import { shownInGo } from '../resources/go-form.ts';
import type { TypeTable } from '../resources/type-table.ts';
import type { KindRules } from '../server/kind-rules.ts';
import { applyBuiltinDefaults } from './builtin-defaults.ts';
import { validateBuiltin, validateBuiltinStatus } from './builtin-validation.ts';
import { warningsOf } from './builtin-warnings.ts';

/** Returns the rules of a built-in kind. */
export function builtinRules(types: TypeTable, info: ResourceInfo): KindRules {
  const type = info.type!;
  return {
    decode: (body, source) => decodeWritten(types, { name: type, value: body, numbers: source?.numbers }),
    defaults: (object) => applyBuiltinDefaults(types, type, object),
    validate(object, old, part) {
      const errors =
        part === 'status' ? validateBuiltinStatus(info, object, old) : validateBuiltin(info, object, old, part);
      return errors.map((error) => shownInGo(types, error));
    },
    warnings: (object, written) => warningsOf(type, object, written),
    patchShape: patchShapeOf(types, type),
    applyShape: { type: builtinMergeTypes(types)(type), blank: decodeAs(types, type, {}).object },
  };
}

/** Finds errors of an object; `old` is the object that it replaces. */
export type ProblemFinder = (object: Fields, old?: Fields) => Iterable<FieldError>;

/** Adds the validation of CEL expressions to a kind's rules: always, or with `onlyThen` only when there are no other errors. */
export const withExpressions = (rules: KindRules, problemsOf: ProblemFinder, onlyThen: boolean): KindRules => ({
  ...rules,
  validate(object, old, part) {
    const errors = rules.validate(object, old, part);
    if (part === 'status' && !onlyThen) return errors;
    return onlyThen && errors.length > 0 ? errors : [...errors, ...problemsOf(object, old)];
  },
});
