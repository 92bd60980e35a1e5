/** Type-checks the expressions of ValidatingAdmissionPolicies. */

import type { Fields } from '../apimachinery/object.ts';
import { fieldsOf, listOf } from '../apimachinery/validation/errors.ts';
import { variablesIn } from '../apis/admissionregistration/policy-expressions.ts';
import { admissionEnvironment } from '../cel/admission-environment.ts';
import type { Environment } from '../cel/environment.ts';
import type { Type } from '../cel/typing/cel-type.ts';
import type { Registry, Resource } from '../resources/registry.ts';
import type { KindTypes } from './kind-types.ts';

/** Maximum of resources checked per rule. */
const maxKinds = 10;

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String).toSorted() : []);

/** Returns the names of a rule's field; none with a wildcard. */
const namedIn = (value: unknown): readonly string[] => {
  const texts = textsIn(value);
  return texts.some((text) => text.includes('*')) ? [] : texts;
};

function* namedBy({ apiGroups, apiVersions, resources }: Fields, registry: Registry): Generator<Resource> {
  const plurals = textsIn(resources).filter((text) => !/[*/]/.test(text));
  for (const group of namedIn(apiGroups)) {
    for (const version of namedIn(apiVersions)) {
      for (const plural of plurals) {
        const resource = registry.find(group === '' ? version : `${group}/${version}`, plural);
        if (resource !== undefined) yield resource;
      }
    }
  }
}

const order = ({ info: { group, version, kind } }: Resource): string => [group, version, kind].join('\0');

/** Returns the resources that a policy names, ordered by group, version and kind. */
function resourcesOf({ matchConstraints }: Fields, registry: Registry): readonly Resource[] {
  const rules = listOf(fieldsOf(matchConstraints).resourceRules);
  const named = rules.flatMap((rule) => [...namedBy(rule, registry)].slice(0, maxKinds));
  return [...new Set(named)].toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

const shownKind = ({ info: { group, version, kind } }: Resource): string => `${group}/${version}, Kind=${kind}`;

/** Registry and types to check against. */
export interface TypeSources {
  readonly registry: Registry;
  readonly kinds: KindTypes;
}

function paramsType({ paramKind }: Fields, { registry, kinds }: TypeSources): Type | undefined {
  const { apiVersion, kind } = fieldsOf(paramKind);
  const resource = registry.ofKind({ apiVersion: String(apiVersion), kind: String(kind) });
  return resource && kinds.typeOf(resource);
}

/** Returns the CEL environment for objects of one type. */
function environmentFor(spec: Fields, object: Type, sources: TypeSources): Environment {
  const declared = {
    object,
    params: paramsType(spec, sources),
    authorizer: true,
    requestResource: false,
    fieldsOf: sources.kinds.fieldsOf,
  };
  const { known } = variablesIn(spec.variables, (variables) => admissionEnvironment({ ...declared, variables }));
  return admissionEnvironment({ ...declared, variables: known });
}

/** Returns `status.typeChecking.expressionWarnings`: the type errors of a policy's expressions. */
export function expressionWarnings(spec: Fields, sources: TypeSources): readonly Fields[] {
  const environments = resourcesOf(spec, sources.registry).flatMap((resource) => {
    const type = sources.kinds.typeOf(resource);
    return type === undefined ? [] : [{ resource, environment: environmentFor(spec, type, sources) }];
  });
  const faultsOf = (source: string): readonly string[] =>
    environments.flatMap(({ resource, environment }) => {
      const made = environment.compile(source);
      return 'fault' in made ? [`${shownKind(resource)}: ${made.fault}\n`] : [];
    });
  return listOf(spec.validations).flatMap((validation, index) =>
    (['expression', 'messageExpression'] as const).flatMap((part) => {
      const faults = validation[part] ? faultsOf(String(validation[part])) : [];
      const fieldRef = `spec.validations[${index}].${part}`;
      return faults.length === 0 ? [] : [{ fieldRef, warning: faults.join('\n') }];
    }),
  );
}
