import type { KindRules } from './kind-rules.ts';
import type { ResourceInfo } from './kinds/resource-info.ts';
import type { TypeTable } from './kinds/type-table.ts';
import type { RuleCheck } from './schema/custom-rules.ts';
import { hasRules, type Structural, structuralOf } from './schema/structural.ts';

/** The rules of all kinds, each loaded when it is first asked for. */
export interface RuleBook {
  /** The rules of a resource. */
  load(info: ResourceInfo): Promise<KindRules>;
  /** The rules of a resource that were loaded before; undefined when they were not. */
  loaded(info: ResourceInfo): KindRules | undefined;
  /** All built-in types. */
  types(): Promise<TypeTable>;
}

async function ruleCheckOf(schema: Structural): Promise<RuleCheck | undefined> {
  if (!hasRules(schema)) return undefined;
  const { ruleCheck } = await import('./schema/rules.ts');
  return ruleCheck(schema);
}

async function metadataTypes(): Promise<TypeTable> {
  const [{ metaTypes }, { parseTypes }] = await Promise.all([
    import('./kinds/types/meta.ts'),
    import('./kinds/type-table.ts'),
  ]);
  return parseTypes({ meta: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: metaTypes } });
}

async function customRulesOf(info: ResourceInfo, types: TypeTable): Promise<KindRules> {
  const { customRules } = await import('./schema/custom-rules.ts');
  const schema = info.schema?.();
  const structural = schema === undefined ? undefined : structuralOf(schema);
  const rules = structural === undefined ? undefined : await ruleCheckOf(structural);
  return customRules({ types, info, schema: structural, ...(rules !== undefined && { rules }) });
}

const definitionType = 'apiextensions.CustomResourceDefinition';

/** A book with nothing loaded. */
export function createRuleBook(): RuleBook {
  const loading = new WeakMap<ResourceInfo, Promise<KindRules>>();
  const loaded = new WeakMap<ResourceInfo, KindRules>();
  let builtin: Promise<TypeTable> | undefined;
  let metadata: Promise<TypeTable> | undefined;

  const types = (): Promise<TypeTable> => {
    builtin ??= import('./kinds/builtin-types.ts').then(({ builtinTypes }) => builtinTypes());
    return builtin;
  };
  const make = async (info: ResourceInfo): Promise<KindRules> => {
    if (info.custom !== undefined) {
      metadata ??= metadataTypes();
      return customRulesOf(info, await metadata);
    }
    const [table, { builtinRules, definitionRules }] = await Promise.all([types(), import('./kinds/builtin-rules.ts')]);
    const rules = builtinRules(table, info);
    if (info.type !== definitionType) return rules;
    const { ruleProblems } = await import('./schema/rule-compile.ts');
    return definitionRules(rules, ruleProblems);
  };

  return {
    types,
    loaded: (info) => loaded.get(info),
    load(info) {
      const known = loading.get(info);
      if (known !== undefined) return known;
      const made = make(info);
      loading.set(info, made);
      made.then(
        (rules) => loaded.set(info, rules),
        () => loading.delete(info),
      );
      return made;
    },
  };
}
