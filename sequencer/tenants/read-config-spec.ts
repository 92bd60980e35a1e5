/** Validates the spec of a config by its type: at admission, and each time that the config is read. */

import { readBySchema, type WrongField, wrongFieldsOf } from '../../sdk/host/index.ts';
import { errorOf } from '../../sdk/index.ts';
import type { AnyConfig } from './config-integration-name.ts';
import { optionFields, type TenantIntegration, type TenantIntegrations } from './tenant-integration.ts';

/** Type of a config, and its options as parsed by the schemas. */
export interface ConfigSpec {
  readonly tenant: TenantIntegration;
  readonly options: unknown;
  readonly mutableOptions: unknown;
}

/** Mistakes in the spec of a config, with the reason of the first as a CamelCase word. */
export interface ConfigMistakes {
  readonly reason: string;
  readonly mistakes: readonly WrongField[];
}

type Spec = AnyConfig['spec'];
type Found = readonly [reason: string, mistakes: readonly WrongField[]];

/** Maximum number of types in a message, and maximum length of a message in characters. */
const limits = { types: 16, text: 1024 };

/** Returns a mistake for each of these members of a field of the spec. */
const wrongMembers = (field: keyof Spec, names: readonly string[], message: string): readonly WrongField[] =>
  names.map((name) => ({ field: `spec.${field}.${name}`, message }));

/** Reads the options of one field by the schema of the type. */
function readOptions(spec: Spec, tenant: TenantIntegration, field: (typeof optionFields)[number]) {
  const { [field]: schema } = tenant;
  const present = spec[field];
  if (schema !== undefined) return readBySchema(schema, `spec.${field}`, () => ({ ...present }));
  const other = optionFields.find((one) => one !== field && tenant[one] !== undefined);
  const advice = other === undefined ? '' : `; it has spec.${other}`;
  const fields = wrongMembers(field, Object.keys(present ?? {}), `type ${spec.type} has no ${field}${advice}`);
  return fields.length > 0 ? { fields } : { settings: undefined };
}

/** Returns the mistakes that `validate` of the type finds in valid options; a mistake of the type if `validate` throws. */
function mistakesByType(tenant: TenantIntegration, type: string, options: readonly [unknown, unknown]): Found {
  const { condition, validate } = tenant;
  if (validate === undefined) return ['', []];
  try {
    return ['OptionsInvalid', wrongFieldsOf({ name: type, condition }, () => validate(...options))];
  } catch (error) {
    return ['TypeInvalid', [{ field: 'spec.type', message: errorOf(error).message }]];
  }
}

/** Returns the mistakes in references to credentials. */
function wrongReferences(spec: Spec, { secrets = [] }: TenantIntegration): readonly Found[] {
  const present = Object.keys(spec.secretRefs ?? {});
  const unknown = present.filter((name) => !secrets.includes(name));
  const missing = secrets.filter((name) => !present.includes(name));
  const known = secrets.join(', ') || 'none';
  return [
    ['SecretRefUnknown', wrongMembers('secretRefs', unknown, `there is no such credential; known are ${known}`)],
    ['SecretRefMissing', wrongMembers('secretRefs', missing, 'is missing')],
  ];
}

/**
 * Reads the spec of a config: its type, the options by the schemas and the `validate` of the type, and the names of its credentials. Pure, as long as the
 * `validate` is; no Secret is read.
 */
export function readConfigSpec({ spec }: AnyConfig, types: TenantIntegrations): ConfigSpec | ConfigMistakes {
  const { type } = spec;
  const tenant = Object.hasOwn(types, type) ? types[type] : undefined;
  if (tenant === undefined) {
    const opened = Object.keys(types).slice(0, limits.types).join(', ');
    const message = `the operator opens no integration type ${type}; it opens ${opened}`;
    return { reason: 'TypeNotOpened', mistakes: [{ field: 'spec.type', message }] };
  }
  const [options, mutable] = optionFields.map((field) => readOptions(spec, tenant, field)) as [
    ReturnType<typeof readOptions>,
    ReturnType<typeof readOptions>,
  ];
  const wrong = [options, mutable].flatMap((read) => ('fields' in read ? read.fields : []));
  const read = { tenant, options: settingsOf(options), mutableOptions: settingsOf(mutable) };
  const byType = wrong.length > 0 ? ([] as const) : [mistakesByType(tenant, type, [read.options, read.mutableOptions])];
  const found: readonly Found[] = [['OptionsInvalid', wrong], ...byType, ...wrongReferences(spec, tenant)];
  const [first] = found.filter(([, mistakes]) => mistakes.length > 0);
  return first === undefined ? read : { reason: first[0], mistakes: found.flatMap(([, mistakes]) => mistakes) };
}

const settingsOf = (read: ReturnType<typeof readOptions>): unknown => ('settings' in read ? read.settings : undefined);

/** Returns mistakes as one text. */
export const mistakesText = ({ mistakes }: ConfigMistakes): string =>
  mistakes
    .map(({ field, message }) => `${field}: ${message}`)
    .join('; ')
    .slice(0, limits.text);
