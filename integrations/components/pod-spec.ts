/** Validates and defaults the pod specs of components. */

import { isJsonObject } from '../../sdk/index.ts';
import { type Control, controls, type PodSecurityLevel, podSecurityLevels } from './pod-security-standards.ts';
import { excessiveQuantity } from './quantities.ts';
import { excerpt, type ValidationResult } from './validation-result.ts';

/** Restrictions on the pods of a workspace. */
export interface PodRules {
  /** Pod Security Standard that each pod must meet. */
  readonly podSecurity: PodSecurityLevel;
  /** Service accounts that pods may run as. */
  readonly serviceAccounts: readonly string[];
  /** Secrets with registry credentials of pods whose template names none. @default [] */
  readonly imagePullSecrets?: readonly string[];
  /** Placeholder of missing outputs; values with it are not validated. @default none */
  readonly pending?: string;
}

/** Untyped part of a tenant's template. */
type Fields = Readonly<Record<string, unknown>>;

const isUnset = (value: unknown): value is undefined | null => value === undefined || value === null;

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** Sets defaults of absent fields; a value that is not an object is left for the API server to reject. */
function withDefaults(value: unknown, defaults: Readonly<Record<string, (value: unknown) => unknown>>): unknown {
  if (!isUnset(value) && !isJsonObject(value)) return value;
  const defaultedFields = Object.entries(defaults).map(([name, defaulted]) => [name, defaulted(value?.[name])]);
  return { ...value, ...Object.fromEntries(defaultedFields) };
}

const fallback =
  (usual: unknown) =>
  (value: unknown): unknown =>
    isUnset(value) ? usual : value;
const fallbacks =
  (defaults: Parameters<typeof withDefaults>[1]) =>
  (value: unknown): unknown =>
    withDefaults(value, defaults);

const containerDefaults = {
  securityContext: fallbacks({
    allowPrivilegeEscalation: fallback(false),
    capabilities: fallbacks({ drop: fallback(['ALL']) }),
  }),
};
const podDefaults = {
  securityContext: fallbacks({ runAsNonRoot: fallback(true), seccompProfile: fallback({ type: 'RuntimeDefault' }) }),
};

const isWindows = ({ os }: Fields): boolean => isJsonObject(os) && os.name === 'windows';

/** Sets the fields that the standard `restricted` requires and the template omits; none of them exists on Windows. */
function hardened(spec: Fields): Fields {
  if (isWindows(spec)) return spec;
  const lists = containerLists.flatMap((name) => {
    const list = spec[name];
    return Array.isArray(list) ? [[name, list.map((container) => withDefaults(container, containerDefaults))]] : [];
  });
  return withDefaults({ ...spec, ...Object.fromEntries(lists) }, podDefaults) as Fields;
}

interface FieldValue {
  readonly path: string;
  readonly value: unknown;
}

/** Iterates over the values at a path; `[*]` stands for each item of a list, and for none where there is no list. */
function* valuesAt(found: FieldValue, steps: readonly string[]): Generator<FieldValue> {
  const [step, ...rest] = steps;
  const { path, value } = found;
  if (step === undefined) yield found;
  else if (step !== '*') {
    const member = isJsonObject(value) ? value[step] : undefined;
    yield* valuesAt({ path: `${path}.${step}`, value: member }, rest);
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* valuesAt({ path: `${path}[${index}]`, value: item }, rest);
}

const stepsOf = (path: string): readonly string[] => path.replaceAll('[*]', '.*').split('.');

/** Returns the places that a control checks, as steps from the pod spec. */
const dnsQueriesOf = ({ fields }: Control) =>
  fields.flatMap(({ path, ...rule }) =>
    (path.startsWith('CONTAINERS') ? containerLists.map((list) => path.replace('CONTAINERS', list)) : [path]).map(
      (one) => ({ ...rule, steps: stepsOf(one) }),
    ),
  );

const table = controls.map((control) => ({ ...control, places: dnsQueriesOf(control) }));

/** Reports whether a part of a template contains a text. */
const holds = (value: unknown, text: string | undefined): boolean =>
  text !== undefined && (JSON.stringify(value) ?? '').includes(text);

/** Describes the first field that violates a Pod Security Standard: its path, the control and the allowed values. */
function insecure(spec: Fields, { podSecurity: level, pending }: PodRules): string | undefined {
  const rank = podSecurityLevels.indexOf(level);
  const demanded = table.filter((control) => podSecurityLevels.indexOf(control.level) <= rank);
  for (const control of demanded) {
    if (control.exceptWindows && isWindows(spec)) continue;
    for (const { steps, allowed, allows } of control.places)
      for (const { path, value } of valuesAt({ path: 'template', value: spec }, steps))
        if (!allows(value) && !holds(value, pending)) {
          const found = excerpt(JSON.stringify(value) ?? 'unset');
          return `${path}: must be ${allowed}, not ${found} (Pod Security Standard ${level}: ${control.name})`;
        }
  }
  return undefined;
}

/** Explains why a template may not run as its service account (`default` if it names none); undefined when it may. */
function wrongAccount(spec: Fields, { serviceAccounts: allowed, pending }: PodRules): string | undefined {
  const { serviceAccountName, serviceAccount } = spec;
  const named = [serviceAccountName, serviceAccount].filter((name) => !isUnset(name) && name !== '');
  const wrong = (named.length === 0 ? ['default'] : named).find(
    (name) => !allowed.includes(name as string) && !holds(name, pending),
  );
  if (wrong === undefined) return undefined;
  const list = allowed.length === 0 ? 'none is allowed' : `allowed: ${allowed.join(', ')}`;
  return `template.serviceAccountName: ${excerpt(JSON.stringify(wrong))} is not allowed here; ${list} (option serviceAccounts of components)`;
}

/**
 * Builds the spec of a component's pod. Absent fields are set: the token of its service account is not mounted, and at level `restricted` the fields
 * it demands are set: `runAsNonRoot: true`, `seccompProfile: RuntimeDefault`, `allowPrivilegeEscalation: false` and `capabilities.drop: [ALL]`. A
 * field that violates the rules is a mistake; the reason names the field, the control and the allowed values. So is a quantity of more than 64
 * characters or with an exponent above 99, at each level.
 */
export function podSpecOf(template: Fields, rules: PodRules): ValidationResult<Fields> {
  const { podSecurity, imagePullSecrets = [] } = rules;
  const spec = podSecurity === 'restricted' ? hardened(template) : template;
  const isPending = (value: unknown): boolean => holds(value, rules.pending);
  const reason = wrongAccount(spec, rules) ?? insecure(spec, rules) ?? excessiveQuantity(spec, isPending);
  if (reason !== undefined) return { kind: 'mistake', reason };
  return {
    kind: 'value',
    value: {
      ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
      ...spec,
      automountServiceAccountToken: spec.automountServiceAccountToken ?? false,
    },
  };
}
