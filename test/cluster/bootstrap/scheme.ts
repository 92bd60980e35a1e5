/** Loads the rules of kinds on first use. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { ProblemFinder } from '../apis/builtin-rules.ts';
import type { RuleCheck } from '../crd/custom-resource-rules.ts';
import { defaultProfile, type Profile } from '../resources/profiles.ts';
import type { TypeTable } from '../resources/type-table.ts';
import { hasRules, type Structural, structuralOf } from '../schema/structural.ts';
import type { KindRules } from '../server/kind-rules.ts';
import type { OpenApiDocuments, Scheme } from '../server/scheme.ts';

async function ruleCheckOf(schema: Structural, ratcheting: boolean): Promise<RuleCheck | undefined> {
  if (!hasRules(schema)) return undefined;
  const { createRuleCheck: ruleCheck } = await import('../crd/evaluate-validation-rules.ts');
  return ruleCheck(schema, ratcheting);
}

async function metadataTypes(): Promise<TypeTable> {
  const [{ metaTypes }, { parseTypes }] = await Promise.all([
    import('../apis/meta-types.ts'),
    import('../resources/type-table.ts'),
  ]);
  return parseTypes({ meta: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: metaTypes } });
}

async function customRulesOf(info: ResourceInfo, types: TypeTable, { ratcheting }: Profile): Promise<KindRules> {
  const { customRules } = await import('../crd/custom-resource-rules.ts');
  const schema = info.schema?.();
  const structural = schema === undefined ? undefined : structuralOf(schema);
  const rules = structural === undefined ? undefined : await ruleCheckOf(structural, ratcheting);
  return customRules({ types, info, ratcheting, schema: structural, ...(rules !== undefined && { rules }) });
}

/** Checks of the CEL expressions inside an object, by type. */
const expressionProblems: Readonly<Record<string, () => Promise<ProblemFinder>>> = {
  'resource.DeviceClass': async () => (await import('../apis/resource/device-cel-validation.ts')).classProblems,
  'resource.ResourceClaim': async () =>
    (await import('../apis/resource/device-cel-validation.ts')).claimSelectorProblems,
  'resource.ResourceClaimTemplate': async () =>
    (await import('../apis/resource/device-cel-validation.ts')).templateProblems,
  'apiextensions.CustomResourceDefinition': async () => (await import('../crd/check-validation-rules.ts')).ruleProblems,
  'admissionregistration.ValidatingAdmissionPolicy': async () =>
    (await import('../apis/admissionregistration/policy-cel-validation.ts')).policyProblems,
  'admissionregistration.ValidatingWebhookConfiguration': async () =>
    (await import('../apis/admissionregistration/policy-cel-validation.ts')).webhookProblems,
  'admissionregistration.MutatingWebhookConfiguration': async () =>
    (await import('../apis/admissionregistration/policy-cel-validation.ts')).webhookProblems,
};

const definitionType = 'apiextensions.CustomResourceDefinition';

/** Removes defaults of fields that an older version does not have. */
const withKnownDefaults = (rules: KindRules): KindRules => ({
  ...rules,
  defaults: (object) => rules.decode(rules.defaults(object)).object,
});

/** Creates the scheme of a version of the server; the rules of a kind are loaded on first use. */
export function createScheme(profile: Profile = defaultProfile): Scheme {
  const loading = new WeakMap<ResourceInfo, Promise<KindRules>>();
  const loaded = new WeakMap<ResourceInfo, KindRules>();
  let builtin: Promise<TypeTable> | undefined;
  let metadata: Promise<TypeTable> | undefined;
  let documents: Promise<OpenApiDocuments> | undefined;

  const types = (): Promise<TypeTable> => {
    builtin ??= import('../apis/builtin-types.ts').then(({ builtinTypes }) =>
      profile.known(builtinTypes(profile.changes.types)),
    );
    return builtin;
  };
  const make = async (info: ResourceInfo): Promise<KindRules> => {
    if (info.custom !== undefined) {
      metadata ??= metadataTypes();
      return customRulesOf(info, await metadata, profile);
    }
    const [table, { builtinRules, withExpressions }] = await Promise.all([types(), import('../apis/builtin-rules.ts')]);
    const newest = builtinRules(table, info);
    const rules = info.group === 'batch' && profile.minor < 29 ? withKnownDefaults(newest) : newest;
    const problems = await expressionProblems[info.type ?? '']?.();
    if (problems === undefined) return rules;
    const isDefinition = info.type === definitionType;
    const checked = withExpressions(rules, problems, isDefinition);
    if (!isDefinition) return checked;
    const { formatWarnings } = await import('../schema/format-warnings.ts');
    return { ...checked, warnings: formatWarnings };
  };

  return {
    types,
    documents() {
      documents ??= Promise.all([types(), import('../openapi/document-cache.ts')]).then(
        ([known, { createDocuments }]) => createDocuments({ types: known, version: profile.gitVersion }),
      );
      return documents;
    },
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
