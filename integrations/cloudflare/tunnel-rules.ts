/** Ingress rules of a tunnel, from host and path to a service. */

import type { RoutedHost, RoutedPath } from '../ingress-rules.ts';
import { isObject } from './envelope.ts';

/** Rule of a tunnel in the format of the API; the first matching rule applies. */
export interface TunnelRule {
  /** Full name; its first label may be `*`. Absent in the last rule, which fits all. */
  readonly hostname?: string;
  /** Regular expression that fits somewhere in the path. @default every path */
  readonly path?: string;
  /** Address of the service, or `http_status:404`. */
  readonly service: string;
}

/** Response to requests that no rule matches. */
const otherwise: TunnelRule = { service: 'http_status:404' };

/** Returns the expression for a path and all below it. */
function pathPattern(path: string): string {
  const escaped = path.replace(/\/$/, '').replaceAll(/[.+]/g, '\\$&');
  return `^${escaped}(/|$)`;
}

const ruleOf = (hostname: string, { path, service, port }: RoutedPath, namespace: string): TunnelRule => ({
  hostname,
  ...(path !== '/' && { path: pathPattern(path) }),
  service: `http://${service}.${namespace}.svc:${port}`,
});

const isWildcard = ({ host }: RoutedHost): boolean => host.startsWith('*');

/** Returns the rules for these hosts: longer paths before shorter ones, wildcards after other hosts. */
export const tunnelRules = (hosts: readonly RoutedHost[], namespace: string): readonly TunnelRule[] => [
  ...hosts
    .toSorted((a, b) => Number(isWildcard(a)) - Number(isWildcard(b)) || b.host.length - a.host.length)
    .flatMap(({ host, paths }) =>
      paths.toSorted((a, b) => b.path.length - a.path.length).map((path) => ruleOf(host, path, namespace)),
    ),
  otherwise,
];

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Reads a rule as the API shows it; settings that the integration does not make are kept, so that they count as a difference. */
export function ruleIn(value: unknown): TunnelRule {
  const { hostname, path, service, originRequest, ...rest } = isObject(value) ? value : {};
  return {
    ...(typeof hostname === 'string' && hostname !== '' && { hostname }),
    ...(typeof path === 'string' && path !== '' && { path }),
    service: String(service),
    ...(originRequest !== undefined && originRequest !== null && !isEmpty(originRequest) && { originRequest }),
    ...(rest.access !== undefined && { access: rest.access }),
  };
}
