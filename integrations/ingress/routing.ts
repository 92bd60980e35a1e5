/** State of routes as their controller reports it: refused, or served at an address. */

import { isIPv4, isIPv6 } from 'node:net';
import { isName, withoutDot } from '../dns/records.ts';
import type { GatewayObject, RouteObject } from './kinds.ts';

/** Longest message of a controller in a reason, in characters. */
const maxLength = 300;

const isAddress = (value: string): boolean => isIPv4(value) || isIPv6(value);

/** Returns the usable addresses, IP addresses before names; of names one, since a CNAME has one target. */
function usable(found: readonly (string | undefined)[]): readonly string[] {
  const texts = found.filter((one) => one !== undefined).map(withoutDot);
  const addresses = texts.filter(isAddress);
  return addresses.length > 0 ? addresses.slice(0, 8) : texts.filter(isName).slice(0, 1);
}

/** Returns the addresses at which an Ingress is served. */
export const ingressAddresses = ({ status }: RouteObject): readonly string[] =>
  usable((status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname));

/** Returns the addresses of a Gateway. */
export const gatewayAddresses = ({ status }: GatewayObject): readonly string[] =>
  usable((status?.addresses ?? []).map(({ value }) => value));

const acceptedOf = ({ status }: RouteObject) =>
  (status?.parents ?? []).flatMap(({ conditions = [] }) => conditions.filter(({ type }) => type === 'Accepted'));

/** Reports whether a Gateway has accepted an HTTPRoute. */
export const isAccepted = (route: RouteObject): boolean => acceptedOf(route).some(({ status }) => status === 'True');

/** Explains why the Gateway refuses an HTTPRoute; undefined when it does not. */
export function unacceptedReason(route: RouteObject): string | undefined {
  const refused = acceptedOf(route).find(({ status }) => status === 'False');
  return (
    refused &&
    `HTTPRoute ${route.metadata.name} is not accepted: ${(refused.message ?? 'no reason').slice(0, maxLength)}`
  );
}
