/** Options of the Ingress integration and their validation. */

import type { Workspace } from '../../sdk/index.ts';
import { isJsonObject } from '../../sdk/index.ts';
import { type RoutedHostOptions, type RoutedHosts, routedHostOptionNames, routedHosts } from '../ingress-rules.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { GatewayRef, RouteKind } from './kinds.ts';

/** Options of {@link ingress}. */
export interface IngressOptions extends RoutedHostOptions {
  /**
   * Kind of the routes. `auto`: HTTPRoute where option `gateway` is set and the cluster serves that kind, else Ingress. @default 'auto'
   */
  readonly api?: 'auto' | RouteKind;
  /** Class of all Ingresses, or the classes that a workspace may name in `spec.networking.ingress.className`. @default ['nginx'] */
  readonly className?: string | readonly string[];
  /**
   * Gateway of all HTTPRoutes, or those that a workspace may name in `spec.networking.ingress.loadBalancerRef`, the first of them by default.
   * @default none
   */
  readonly gateway?: GatewayRef | readonly GatewayRef[];
  /**
   * Name of the Secret with the certificate of an Ingress, of type `kubernetes.io/tls`; `{workspace}` stands for the workspace's name. With HTTPRoute,
   * the listeners of the Gateway have the certificates. @default none
   */
  readonly tlsSecret?: string;
  /** Annotations of the routes, for the controller that serves them. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Completes only when the routes have an address, and publishes it: in output `address`, and for DNS in `status.dns`. @default false */
  readonly waitForAddress?: boolean;
  /** ms between two checks of routes that are not watched: HTTPRoutes, unless `api` is `HTTPRoute`. @default 300 000 */
  readonly driftInterval?: number;
}

/** Common settings of the routes of one workspace. */
export interface RouteSettings {
  readonly className: string;
  readonly gateway: GatewayRef | undefined;
  readonly tlsSecret: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Options with their defaults. */
export interface CheckedIngressOptions {
  readonly api: 'auto' | RouteKind;
  readonly gateways: readonly GatewayRef[];
  readonly waitForAddress: boolean;
  readonly driftInterval: number;
  readonly hosts: RoutedHosts;
  /** Returns the settings for routes of one kind, or the mistake in the workspace. */
  settingsFor(workspace: Workspace, kind: RouteKind): RouteSettings | string;
}

const { refuse, members, wholeNumber }: OptionChecks = optionChecks('ingress');

const known = [
  'api',
  'className',
  'gateway',
  'tlsSecret',
  'annotations',
  'waitForAddress',
  'driftInterval',
  ...routedHostOptionNames,
];

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const namePattern = new RegExp(`^${label}(\\.${label})*$`);
const isObjectName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 253 && namePattern.test(value);

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

function checkedGateway(option: string, gateway: GatewayRef): GatewayRef {
  members(option, gateway, ['name', 'namespace', 'sectionName']);
  for (const member of ['name', 'namespace', 'sectionName'] as const)
    if (!isObjectName(gateway[member]) && (member === 'name' || gateway[member] !== undefined))
      refuse(`${option}.${member}`, 'the name of an object', gateway[member] ?? 'nothing');
  return gateway;
}

function checkedAnnotations(annotations: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(annotations)) return refuse('annotations', 'an object of texts', annotations);
  for (const [name, value] of Object.entries(annotations))
    if (typeof value !== 'string') refuse(`annotations.${name}`, 'a text', value);
  return annotations as Readonly<Record<string, string>>;
}

const nameOf = ({ name, namespace }: GatewayRef, own: string | undefined): string => `${namespace ?? own}/${name}`;

/** Returns the Gateway of a workspace's routes, or the mistake in its settings. */
function gatewayFor({ metadata, spec }: Workspace, gateways: readonly GatewayRef[]): GatewayRef | string {
  const requested = spec.networking?.ingress?.loadBalancerRef;
  const wanted = requested === undefined ? undefined : nameOf(requested, metadata.namespace);
  const found = gateways.find((one) => wanted === undefined || nameOf(one, metadata.namespace) === wanted);
  const names = gateways.map((one) => nameOf(one, metadata.namespace)).join(', ');
  return found ?? `spec.networking.ingress.loadBalancerRef must be one of ${names}; found ${wanted}`;
}

/** Returns the class of a workspace's routes, or the mistake in its settings. */
function classFor({ spec }: Workspace, classes: string | readonly string[]): { readonly className: string } | string {
  const { className = 'nginx', loadBalancerRef } = spec.networking?.ingress ?? {};
  if (loadBalancerRef !== undefined)
    return 'spec.networking.ingress.loadBalancerRef: names a Gateway, and the routes here are Ingresses: leave it out';
  if (typeof classes === 'string') return { className: classes };
  if (classes.includes(className)) return { className };
  return `spec.networking.ingress.className must be one of ${classes.join(', ')}; found ${JSON.stringify(className)}`;
}

function checkTlsSecret(template: unknown): void {
  if (template === undefined) return;
  if (typeof template !== 'string' || !isObjectName(template.replaceAll('{workspace}', 'x')))
    refuse('tlsSecret', 'the name of a Secret, which may hold {workspace}', template);
}

/** Validates the options and sets the defaults. @throws TypeError naming the first invalid or unknown option */
export function checkedIngressOptions(options: IngressOptions): CheckedIngressOptions {
  members('options', options, known);
  const { api = 'auto', className = ['nginx'], gateway = [], tlsSecret, waitForAddress = false } = options;
  if (!['auto', 'Ingress', 'HTTPRoute'].includes(api)) refuse('api', 'auto, Ingress or HTTPRoute', api);
  const classes = listOf(className);
  if (classes.length === 0 || !classes.every(isObjectName))
    refuse('className', 'the name of a class, or a list of such names', className);
  const gateways = listOf(gateway).map((one, index) => checkedGateway(`gateway[${index}]`, one));
  if (api === 'HTTPRoute' && gateways.length === 0) refuse('gateway', 'set where api is HTTPRoute');
  checkTlsSecret(tlsSecret);
  if (typeof waitForAddress !== 'boolean') refuse('waitForAddress', 'true or false', waitForAddress);
  const annotations = checkedAnnotations(options.annotations ?? {});
  return {
    api,
    gateways,
    waitForAddress,
    driftInterval: wholeNumber('driftInterval', options.driftInterval ?? 300_000, { min: 1000, max: 2 ** 31 - 1 }),
    hosts: routedHosts('ingress', options),
    settingsFor(workspace, kind) {
      const common = { annotations, tlsSecret: tlsSecret?.replaceAll('{workspace}', workspace.metadata.name) };
      if (kind === 'HTTPRoute') {
        const found = gatewayFor(workspace, gateways);
        return typeof found === 'string' ? found : { ...common, className: '', gateway: found };
      }
      const found = classFor(workspace, className);
      return typeof found === 'string' ? found : { ...common, ...found, gateway: undefined };
    },
  };
}
