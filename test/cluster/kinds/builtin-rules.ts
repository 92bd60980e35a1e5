import type { FieldError } from '../field-error.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Fields } from '../objects/object.ts';
import { patchShapeOf } from '../patch/builtin-shape.ts';
import { definitionSpecOf } from '../schema/definition.ts';
import { hasRules, structuralOf } from '../schema/structural.ts';
import { decodeAs } from './decode.ts';
import { applyBuiltinDefaults } from './defaults.ts';
import type { ResourceInfo } from './resource-info.ts';
import type { TypeTable } from './type-table.ts';
import { validateBuiltin } from './validation.ts';

/** The rules of a built-in kind. */
export function builtinRules(types: TypeTable, info: ResourceInfo): KindRules {
  const type = info.type!;
  const rules: KindRules = {
    decode: (body) => decodeAs(types, type, body),
    defaults: (object) => applyBuiltinDefaults(types, type, object),
    validate: (object, old) => validateBuiltin(info, object, old),
    patchShape: patchShapeOf(types, type),
  };
  return type === 'apiextensions.CustomResourceDefinition' ? withRuleProblems(rules) : rules;
}

const usesRules = (crd: Fields): boolean =>
  (definitionSpecOf(crd).versions ?? []).some(({ schema }) => hasRules(structuralOf(schema?.openAPIV3Schema ?? {})));

/** Definitions with CEL rules need a compiler, which is loaded when the first one comes. */
function withRuleProblems(rules: KindRules): KindRules {
  let problemsOf: ((crd: Fields) => Iterable<FieldError>) | undefined;
  return {
    ...rules,
    async warmUp(crd) {
      if (problemsOf === undefined && usesRules(crd)) {
        ({ ruleProblems: problemsOf } = await import('../schema/rule-compile.ts'));
      }
    },
    validate(crd, old) {
      const errors = rules.validate(crd, old);
      return errors.length > 0 ? errors : [...(problemsOf?.(crd) ?? [])];
    },
  };
}
