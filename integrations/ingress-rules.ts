/** Hosts and paths of a workspace's ingress rules, checked, as the integrations of condition Ingress route them. */

import type { Component, Workspace } from '../sdk/index.ts';
import { type DnsNameOptions, dnsNameRule } from './dns/allowed-names.ts';
import { isWithin, nameOfRule, withoutDot } from './dns/records.ts';
import { quoted } from './quoted-text.ts';
import { serviceName } from './service-names.ts';
import { wrongField } from './wrong-field.ts';

/** Path of a host, and its service. */
export interface RoutedPath {
  /** Path prefix, matched by segments; starts with `/`. */
  readonly path: string;
  /** Name of a Service in the workspace's namespace. */
  readonly service: string;
  readonly port: number;
}

/** Host with its paths. */
export interface RoutedHost {
  /** Full name in lower case; its first label may be `*`. */
  readonly host: string;
  readonly paths: readonly RoutedPath[];
}

/** Options for the hosts of workspaces. */
export interface RoutedHostOptions extends DnsNameOptions {
  /**
   * Host of a rule whose workspace has no `spec.networking.dns`: a DNS name with `{name}`, the rule's subdomain or else the workspace's name, and
   * `{namespace}`, such as `{name}.{namespace}.apps.example.com`. @default none: such a workspace is an error
   */
  readonly host?: string | undefined;
}

/** Names of the options in {@link RoutedHostOptions}. */
export const routedHostOptionNames = [
  'host',
  'names',
  'wildcards',
] as const satisfies readonly (keyof RoutedHostOptions)[];

/** Returns the hosts of a workspace in the order of its rules, with the paths of `status.routes`; or its first mistake: field, expected, found. */
export type RoutedHosts = (workspace: Workspace) => readonly RoutedHost[] | string;

type Rule = NonNullable<NonNullable<NonNullable<Workspace['spec']['networking']>['ingress']>['rules']>[number];

const hostPattern = /^(\*\.)?([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Reports whether a text is the name of a host in lower case, and no address; its first label may be `*`. */
export const isHostName = (host: string): boolean =>
  host.length <= 253 && hostPattern.test(host) && !/(^|\.)\d+$/.test(host);

/** Allowed characters of a path, without those with a meaning in configuration files of proxies. */
const pathPattern = /^\/[\w.~!+,=:@%/-]*$/;
const isPath = (path: string): boolean => pathPattern.test(path) && !/\/\/|\/\.\.?(\/|$)|%2f/i.test(path);

/** Returns the rules of a workspace. */
export const ingressRulesOf = ({ spec }: Workspace): readonly Rule[] => spec.networking?.ingress?.rules ?? [];

/** Part of a workspace besides its spec on which the routes depend: the `reads` of the integrations that create them. */
export const requestedRoutesOf = ({ status }: Workspace): unknown => status?.routes;

function checkTemplate(integration: string, host: unknown): void {
  const isValid =
    typeof host === 'string' &&
    host.includes('{name}') &&
    !host.endsWith('}') &&
    isHostName(host.replaceAll(/\{(name|namespace)\}/g, 'x'));
  if (!isValid)
    throw new TypeError(
      `${integration}: host must be a DNS name with {name}, and {namespace} if wanted, that ends in a domain of its own, not ${quoted(host)}`,
    );
}

function hostOf(workspace: Workspace, rule: Rule, template: string | undefined): string | undefined {
  const { metadata, spec } = workspace;
  const zone = spec.networking?.dns?.zone;
  if (zone !== undefined) return nameOfRule(workspace, rule, withoutDot(zone));
  const values = { name: rule.subdomain || metadata.name, namespace: metadata.namespace ?? '' };
  return template?.replaceAll(/\{(name|namespace)\}/g, (_, key: keyof typeof values) => values[key].toLowerCase());
}

/** Returns the path of a rule with its service, or the mistake in it. */
function pathOf(workspace: Workspace, rule: Rule): RoutedPath | string {
  const { component, network, path = '/' } = rule;
  const components: readonly Component[] = workspace.spec.components ?? [];
  const found = components.find(({ name }) => name === component);
  if (found === undefined)
    return `component: there is no component ${component}; known are ${
      components
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 300) || 'none'
    }`;
  const port = found.networks?.find(({ name }) => name === network);
  if (port === undefined)
    return `network: component ${component} has no network ${network}; known are ${
      (found.networks ?? [])
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 300) || 'none'
    }`;
  if ((port.protocol ?? 'TCP') !== 'TCP') return `network: must be one of protocol TCP; ${network} is ${port.protocol}`;
  if (!isPath(path))
    return `path: must be /, or segments of letters, digits and . _ ~ ! + , = : @ % -; found ${quoted(path)}`;
  return { path, service: serviceName(workspace, component, network), port: port.port };
}

/** Returns the paths of a host, including those that integrations request in `status.routes`, which precede rules of the same path. */
function withRequestedRoutes({ status }: Workspace, host: string, paths: readonly RoutedPath[]): readonly RoutedPath[] {
  const requested = (status?.routes ?? []).filter((route) => route.host === host && isPath(route.path));
  const requestedPaths = new Set(requested.map(({ path }) => path));
  return [
    ...paths.filter(({ path }) => !requestedPaths.has(path)),
    ...requested.map(({ path, service, port }) => ({ path, service, port })),
  ];
}

/** Creates the function that reads the rules of workspaces. @throws TypeError naming the invalid option */
export function routedHosts(integration: string, options: RoutedHostOptions): RoutedHosts {
  const { host: template } = options;
  if (template !== undefined) checkTemplate(integration, template);
  const allows = dnsNameRule(integration, options);
  /** Returns the host and path of a rule, or the mistake in it. */
  const routeOf = (workspace: Workspace, rule: Rule): { readonly host: string; readonly path: RoutedPath } | string => {
    const host = hostOf(workspace, rule, template);
    if (host === undefined) return ` has no host: set spec.networking.dns.zone, or option host of ${integration}`;
    if (!isHostName(host))
      return `: ${quoted(host)} is not a host name: its labels have a-z, 0-9 and -, 63 characters each and 253 in all; others in their form xn--…`;
    const zone = withoutDot(workspace.spec.networking?.dns?.zone ?? host);
    if (!isWithin(host, zone)) return `: ${host} is not within the zone ${quoted(zone)} of spec.networking.dns.zone`;
    const refusal = allows(workspace, host);
    if (refusal !== undefined) return `: ${refusal}`;
    const path = pathOf(workspace, rule);
    return typeof path === 'string' ? `.${path}` : { host, path };
  };
  return (workspace) => {
    const hosts = new Map<string, RoutedPath[]>();
    for (const rule of ingressRulesOf(workspace)) {
      const at = `spec.networking.ingress.rules[${rule.name}]`;
      const route = routeOf(workspace, rule);
      if (typeof route === 'string') return `${at}${route}`;
      const { host, path } = route;
      const paths = hosts.get(host) ?? [];
      if (paths.some((other) => other.path === path.path))
        return `${at}: ${host}${path.path} is routed by another rule`;
      paths.push(path);
      hosts.set(host, paths);
    }
    return [...hosts].map(([host, paths]) => ({ host, paths: withRequestedRoutes(workspace, host, paths) }));
  };
}

/** Returns the `validate` of an integration that routes these hosts: their first mistake. */
export const validateHosts = (hosts: RoutedHosts) => (workspace: Workspace) => {
  const found = hosts(workspace);
  return typeof found === 'string' ? [wrongField(found, 'spec.networking.ingress.rules')] : [];
};
