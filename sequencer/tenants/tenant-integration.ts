/** Integration types that tenants may configure by IntegrationConfigs. */

import type { ZodType } from 'zod';
import {
  ClusterIntegrationConfig,
  describeValue,
  IntegrationConfig,
  ignoreRejection,
  mistakeInSettingsSchema,
  type WrongField,
} from '../../sdk/host/index.ts';
import {
  defineIntegration,
  type Integration,
  isJsonObject,
  type Kind,
  refuseUnknown,
  Workspace,
} from '../../sdk/index.ts';
import { claimPrefix } from './config-integration-name.ts';

/** Integration with a connection that has to be closed. */
export interface OpenedIntegration {
  readonly integration: Integration;
  /** Called when the integration is replaced, idle or no longer used, after its last call has ended. */
  close(): void | Promise<void>;
}

/** Members that a type has in common with the integrations of its configs. */
const sharedFields = ['after', 'owns', 'permissions', 'outputs', 'uniqueNames', 'endpoints'] as const;

/**
 * Integration type that tenants may configure. Tenants set the options of its schema only; what they must not decide, such as the hosts
 * that the operator connects to, belongs into `create`.
 */
export interface TenantIntegration<Options = unknown, Name extends string = string, Mutable = unknown>
  extends Pick<Integration, (typeof sharedFields)[number]> {
  /** Condition of the integration. */
  readonly condition: string;
  /** Reports whether a workspace requests this type, with any config. Pure and cheap; the integration's own `handles` is called, too. */
  handles(workspace: Workspace): boolean;
  /** Zod schema of `spec.options`, whose values are texts: numbers are `z.coerce.number()`. Its objects are strict. @default no options */
  readonly options?: ZodType<Options>;
  /**
   * Zod schema of `spec.mutableOptions`, of the same form. A change of these applies to existing external objects, as if the integration had restarted with
   * other options; so they must not determine where objects are found, such as a server, an account or a zone. @default no such options
   */
  readonly mutableOptions?: ZodType<Mutable>;
  /**
   * Returns the mistakes in options that match their schemas, such as one without another: fields like `spec.options.zone`, each with a message. Also called
   * at admission, so it must be pure and cheap; it gets no credentials. @default no further validation
   */
  validate?(options: Options, mutableOptions: Mutable): readonly WrongField[];
  /** Names of the credentials that `spec.secretRefs` must have. @default none */
  readonly secrets?: readonly Name[];
  /** Creates the integration for one config, with the type as its `name`; called again when a credential or mutable option has changed. Throws for options or credentials that it refuses. */
  create(
    options: Options,
    secrets: Readonly<Record<Name, string>>,
    mutableOptions: Mutable,
  ): Integration | OpenedIntegration;
}

/** Integration types that tenants may configure, by their names. */
export type TenantIntegrations = Readonly<Record<string, TenantIntegration>>;

/** Members of a type and of a config's spec that are options. */
export const optionFields = ['options', 'mutableOptions'] as const;

const known = new Set<keyof TenantIntegration>([
  ...sharedFields,
  'condition',
  'handles',
  'options',
  'mutableOptions',
  'validate',
  'secrets',
  'create',
]);

/** Returns the entry unchanged; infers the types of `create` from the schemas of the options and the names of the credentials. */
export const defineTenantIntegration = <Options, const Name extends string = never, Mutable = undefined>(
  integration: TenantIntegration<Options, Name, Mutable>,
): TenantIntegration => integration as unknown as TenantIntegration;

/** Describes an entry of `tenantIntegrations` that is not an object; undefined without one. */
export function mistakeInTypes(types: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = Object.keys(types).find((type) => !isJsonObject(types[type]));
  if (wrong === undefined) return undefined;
  ignoreRejection(types[wrong]);
  const expected = 'an integration type, such as defineTenantIntegration returns';
  return `tenantIntegrations["${wrong}"] must be ${expected}; found ${describeValue(types[wrong])}`;
}

/** Describes invalid names of credentials; undefined when they are valid. */
function mistakeInSecretNames(names: unknown): string | undefined {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    return 'secrets must be a list of names';
  const inherited = names.find((name) => name in Object.prototype);
  return inherited && `secrets must not name "${inherited}", a member of every object: choose another`;
}

/**
 * Returns the representative of a type, used where no config matters: for rights, watched kinds, conditions and their order.
 * @throws TypeError naming the type, the field, the expected and the actual value
 */
function representativeOf(type: string, tenant: TenantIntegration): Integration {
  const where = `tenantIntegrations["${type}"]`;
  refuseUnknown(where, tenant, known);
  const { condition, handles, validate, secrets = [], create } = tenant;
  const refuse = (what: string): never => {
    throw new TypeError(`${where}: ${what}`);
  };
  if (typeof create !== 'function')
    refuse('create must be a function (options, secrets, mutableOptions) => integration');
  if (typeof handles !== 'function') refuse('handles must be a function (workspace) => boolean');
  if (validate !== undefined && typeof validate !== 'function')
    refuse('validate must be a function (options, mutableOptions) => { field, message }[]');
  const wrongNames = mistakeInSecretNames(secrets);
  if (wrongNames !== undefined) refuse(wrongNames);
  for (const field of optionFields) {
    const schema = tenant[field];
    const mistake = schema && mistakeInSettingsSchema(schema, field);
    if (mistake !== undefined) refuse(`${field} ${mistake}`);
  }
  return defineIntegration({
    name: type,
    condition,
    ...Object.fromEntries(
      sharedFields.filter((field) => tenant[field] !== undefined).map((field) => [field, tenant[field]]),
    ),
    handles: (workspace) => {
      void Object.hasOwn(workspace.spec.integrations ?? {}, type); // its settings, if any, are known members
      return handles(workspace);
    },
    connect: () => {
      throw new Error(`integration type ${type} is connected by its configs`);
    },
  });
}

/** Returns the representatives of the types. @throws TypeError as {@link representativeOf}, and for two types with ambiguous claims */
export function representativesOf(types: TenantIntegrations): readonly Integration[] {
  const names = Object.keys(types);
  const alike = names.find((type, at) => names.findIndex((one) => claimPrefix(one) === claimPrefix(type)) !== at);
  if (alike !== undefined)
    throw new TypeError(`tenantIntegrations["${alike}"]: must differ from other types in its first 24 characters`);
  return Object.entries(types).map(([type, tenant]) => representativeOf(type, tenant));
}

/** Returns the integrations of the config file and the representatives of its types for tenants. @throws TypeError as {@link representativesOf} */
export const withRepresentatives = ({
  integrations,
  tenantIntegrations = {},
}: Pick<OpenedTypes, 'tenantIntegrations'> & {
  readonly integrations: readonly Integration[];
}): readonly Integration[] => [...integrations, ...representativesOf(tenantIntegrations)];

/** Options of a sequencer that decide which kinds it needs. */
export interface OpenedTypes {
  /** @default none: no configs are read, and no Secrets */
  readonly tenantIntegrations?: TenantIntegrations | undefined;
  /** Namespace to which the sequencer is restricted. @default all */
  readonly namespace?: string | undefined;
}

/** Returns the kinds of configs that a sequencer reads: cluster-wide ones only where it is not restricted to a namespace. */
export const configKinds = ({ tenantIntegrations = {}, namespace }: OpenedTypes): readonly Kind[] => {
  if (Object.keys(tenantIntegrations).length === 0) return [];
  return [IntegrationConfig, ...(namespace === undefined ? [ClusterIntegrationConfig] : [])];
};

/** Returns the kinds whose definitions a sequencer needs. */
export const servedKinds = (opened: OpenedTypes): readonly Kind[] => [Workspace, ...configKinds(opened)];
