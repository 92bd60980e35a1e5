import { type Checked, excerpt } from './checked.ts';
import { type Control, controls, type PodSecurityLevel, podSecurityLevels } from './pod-security-standards.ts';

/** What the pods of a workspace may be. */
export interface PodRules {
  /** The Pod Security Standard that every pod has to meet. */
  readonly podSecurity: PodSecurityLevel;
  /** The service accounts that pods may run as. */
  readonly serviceAccounts: readonly string[];
}

/** A part of a template as tenants write it: nothing of it is certain. */
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isUnset = (value: unknown): value is undefined | null => value === undefined || value === null;

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** Fields that are not set get a default; what is no object stays as it is, for the API server to refuse. */
function withDefaults(value: unknown, defaults: Readonly<Record<string, (value: unknown) => unknown>>): unknown {
  if (!isUnset(value) && !isFields(value)) return value;
  const made = Object.entries(defaults).map(([name, defaulted]) => [name, defaulted(value?.[name])]);
  return { ...value, ...Object.fromEntries(made) };
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

const isWindows = ({ os }: Fields): boolean => isFields(os) && os.name === 'windows';

/** The fields that the standard `restricted` demands, where the template leaves them open. Windows has none of them. */
function hardened(spec: Fields): Fields {
  if (isWindows(spec)) return spec;
  const lists = containerLists.flatMap((name) => {
    const list = spec[name];
    return Array.isArray(list) ? [[name, list.map((container) => withDefaults(container, containerDefaults))]] : [];
  });
  return withDefaults({ ...spec, ...Object.fromEntries(lists) }, podDefaults) as Fields;
}

interface Found {
  readonly path: string;
  readonly value: unknown;
}

/** What stands at a path; `[*]` stands for each item of a list, and for none where there is no list. */
function* valuesAt(found: Found, steps: readonly string[]): Generator<Found> {
  const [step, ...rest] = steps;
  const { path, value } = found;
  if (step === undefined) yield found;
  else if (step !== '*') {
    const member = isFields(value) ? value[step] : undefined;
    yield* valuesAt({ path: `${path}.${step}`, value: member }, rest);
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* valuesAt({ path: `${path}[${index}]`, value: item }, rest);
}

const stepsOf = (path: string): readonly string[] => path.replaceAll('[*]', '.*').split('.');

/** The places that a control looks at, as steps from the pod spec. */
const placesOf = ({ fields }: Control) =>
  fields.flatMap(({ path, ...rule }) =>
    (path.startsWith('CONTAINERS') ? containerLists.map((list) => path.replace('CONTAINERS', list)) : [path]).map(
      (one) => ({ ...rule, steps: stepsOf(one) }),
    ),
  );

const table = controls.map((control) => ({ ...control, places: placesOf(control) }));

/** The first field that goes against a Pod Security Standard: where it stands, which control it breaks and what it may be. */
function insecure(spec: Fields, level: PodSecurityLevel): string | undefined {
  const rank = podSecurityLevels.indexOf(level);
  const demanded = table.filter((control) => podSecurityLevels.indexOf(control.level) <= rank);
  for (const control of demanded) {
    if (control.exceptWindows && isWindows(spec)) continue;
    for (const { steps, allowed, allows } of control.places)
      for (const { path, value } of valuesAt({ path: 'template', value: spec }, steps))
        if (!allows(value)) {
          const found = excerpt(JSON.stringify(value) ?? 'unset');
          return `${path}: must be ${allowed}, not ${found} (Pod Security Standard ${level}: ${control.name})`;
        }
  }
  return undefined;
}

/** Why a template may not run as the service account that it names, or, naming none, as `default`. */
function wrongAccount(spec: Fields, allowed: readonly string[]): string | undefined {
  const { serviceAccountName, serviceAccount } = spec;
  const named = [serviceAccountName, serviceAccount].filter((name) => !isUnset(name) && name !== '');
  const wrong = (named.length === 0 ? ['default'] : named).find((name) => !allowed.includes(name as string));
  if (wrong === undefined) return undefined;
  const list = allowed.length === 0 ? 'none is allowed' : `allowed: ${allowed.join(', ')}`;
  return `template.serviceAccountName: ${excerpt(JSON.stringify(wrong))} is not allowed here; ${list} (option serviceAccounts of components)`;
}

/**
 * The spec of a component's pod. What the template leaves open is filled in: no token of its service account is mounted, and at level `restricted` what
 * that demands, `runAsNonRoot: true`, `seccompProfile: RuntimeDefault`, `allowPrivilegeEscalation: false` and `capabilities.drop: [ALL]`. What the template
 * says against the rules is a mistake, and the reason names field, control and what is allowed.
 */
export function podSpecOf(template: Fields, { podSecurity, serviceAccounts }: PodRules): Checked<Fields> {
  const spec = podSecurity === 'restricted' ? hardened(template) : template;
  const reason = wrongAccount(spec, serviceAccounts) ?? insecure(spec, podSecurity);
  if (reason !== undefined) return { kind: 'mistake', reason };
  return {
    kind: 'value',
    value: { ...spec, automountServiceAccountToken: spec.automountServiceAccountToken ?? false },
  };
}
