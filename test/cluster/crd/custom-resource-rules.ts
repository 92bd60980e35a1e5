/** Rules of custom resources. */

import type { Part } from '../apimachinery/accepted-write.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { exceedsAnnotationLimit, finalizerWarnings } from '../apimachinery/metadata-validation.ts';
import { nameErrors } from '../apimachinery/name-validation.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { builtinMergeTypes } from '../managed-fields/builtin-merge-type.ts';
import type { ApplyShape } from '../managed-fields/merge-type.ts';
import { structuralMergeType } from '../managed-fields/structural-merge-type.ts';
import type { TypeTable } from '../resources/type-table.ts';
import { applyDefaults, hasDefaults } from '../schema/defaults.ts';
import { coerceEmbedded, coerceMetadata, embeddedErrors, hasEmbedded } from '../schema/embedded.ts';
import { blocksRules } from '../schema/keywords.ts';
import { distinctListsOf, listTypeErrors } from '../schema/list-types.ts';
import { dropNulls, prune } from '../schema/prune.ts';
import { scaleErrors } from '../schema/scale-paths.ts';
import type { Structural } from '../schema/structural.ts';
import { validate } from '../schema/validate.ts';
import type { KindRules } from '../server/kind-rules.ts';

/** Runs a schema's CEL rules on an object. */
export type RuleCheck = (object: Fields, old: Fields | undefined, part: Part) => Iterable<FieldError>;

/** Options of a custom resource's rules. */
export interface CustomRulesOptions {
  /** Types; at least `meta.ObjectMeta`. */
  readonly types: TypeTable;
  readonly info: ResourceInfo;
  /** Structural schema; undefined accepts any content. */
  readonly schema: Structural | undefined;
  /** True to tolerate errors of unchanged values. @default true */
  readonly ratcheting?: boolean;
  /** CEL rules; only for schemas that have them. */
  readonly rules?: RuleCheck;
}

const uncheckedRules: FieldError = {
  type: 'Invalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

type Decode = KindRules['decode'];

function decoderOf({ types, info, schema = {} }: CustomRulesOptions): Decode {
  const custom = info.custom!;
  const isEmbedding = hasEmbedded(schema);
  return (body, { former } = {}) => {
    const isCoerced = former !== undefined && body.metadata === former.metadata;
    const { object, unknown: inMetadata } = isCoerced ? { object: body, unknown: [] } : coerceMetadata(types, body);
    const pruned = custom.preserveUnknownFields ? { value: object, unknown: [] } : prune(schema, object);
    const kept = custom.preserveUnknownFields ? pruned.value : dropNulls(schema, pruned.value);
    const made = isEmbedding ? coerceEmbedded(types, schema, kept) : { value: kept, unknown: [] };
    return { object: made.value as Fields, unknown: [...inMetadata, ...pruned.unknown, ...made.unknown] };
  };
}

/** Write to validate. */
interface ValidatedWrite {
  readonly object: Fields;
  readonly old: Fields | undefined;
  readonly part: Part;
}

function schemaErrors(schema: Structural, { object, old, part }: ValidatedWrite): readonly FieldError[] {
  if (part === 'object') return validate(schema, object, old === undefined ? {} : { old });
  const status = schema.properties?.status;
  if (status === undefined || object.status === undefined) return [];
  const former = old?.status === undefined ? {} : { old: old.status };
  return validate(status, object.status, { prefix: 'status', ...former });
}

function applyShapeOf({ types, info, schema }: CustomRulesOptions): ApplyShape {
  const metadata = builtinMergeTypes(types)('meta.ObjectMeta');
  const preserve = info.custom!.preserveUnknownFields;
  return { type: structuralMergeType(schema, { metadata, preserve }), blank: {} };
}

/** Returns the errors about repeated items of lists; none if the former object had some too. */
function repeatedItems(
  lists: Parameters<typeof listTypeErrors>[0],
  object: Fields,
  former: Fields | undefined,
): readonly FieldError[] {
  const repeated = listTypeErrors(lists, object);
  const isOld = repeated.length > 0 && former !== undefined && listTypeErrors(lists, former).length > 0;
  return isOld ? [] : repeated;
}

/** Returns the rules of a custom resource at one version. */
export function customRules(options: CustomRulesOptions): KindRules {
  const { info, schema = {}, rules, ratcheting = true } = options;
  const { scale } = info.custom!;
  const embeds = hasEmbedded(schema);
  const fills = hasDefaults(schema);
  const lists = distinctListsOf(schema);
  return {
    decode: decoderOf(options),
    defaults: fills ? (object) => applyDefaults(schema, object) as Fields : (object) => object,
    warnings: finalizerWarnings,
    applyShape: applyShapeOf(options),
    validate: (object, old, part = 'object') => {
      const former = ratcheting ? old : undefined;
      const errors = [
        ...(part === 'object' ? nameErrors(object) : []),
        ...schemaErrors(schema, { object, old: former, part }),
        ...(scale === undefined ? [] : scaleErrors(scale, object, part)),
        ...(embeds ? embeddedErrors(schema, object) : []),
        ...repeatedItems(lists, object, former),
      ];
      if (rules === undefined) return errors;
      const isBlocked = errors.some(({ type }) => blocksRules.has(type)) || exceedsAnnotationLimit(object);
      return isBlocked ? [...errors, uncheckedRules] : [...errors, ...rules(object, old, part)];
    },
  };
}
