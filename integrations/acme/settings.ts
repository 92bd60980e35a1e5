/** Settings that a workspace has in `spec.integrations['acme-certificate']`, and their checks. */

import { isJsonObject, unknownIn, type Workspace } from '../../sdk/index.ts';
import { fullNameOf, isName, isWithin, nameOfRule, withoutDot } from '../dns/records.ts';
import { isHostName } from '../ingress-rules.ts';
import { quoted } from '../quoted-text.ts';
import { wrongField } from '../wrong-field.ts';

/** Member of `spec.integrations`, and name of the integration. */
export const certificateMember = 'acme-certificate';

/** Most names of a certificate: the challenges of all are in one id of the journal. */
const maxNames = 20;
/** Longest name in characters: `_op-owner._acme-challenge.` stands before it. */
const maxNameLength = 227;

/** Reports whether a workspace requests a certificate. */
export const asksForCertificate = ({ spec }: Workspace): boolean =>
  Object.hasOwn(spec.integrations ?? {}, certificateMember);

/** Returns the names in the settings; undefined for those of the ingress rules; or the mistake. */
function requestedNames(requested: unknown): readonly string[] | string | undefined {
  const at = `spec.integrations.${certificateMember}`;
  if (!isJsonObject(requested))
    return `${at} must be an object, {} for the names of the ingress rules; found ${quoted(requested)}`;
  const unknown = unknownIn(requested, ['names'], `${at}.`);
  if (unknown !== undefined) return unknown.slice(0, 300);
  const { names } = requested as { readonly names?: unknown };
  if (names === undefined) return undefined;
  const isList = Array.isArray(names) && names.length > 0 && names.length <= maxNames;
  return isList && names.every((name) => typeof name === 'string' && name.length <= maxNameLength)
    ? names
    : `${at}.names must be a list of 1 to ${maxNames} DNS names; found ${quoted(names)}`;
}

/**
 * Returns the full names of a workspace's certificate, or the first mistake with its field, the expected and the found value. Names are relative to the
 * workspace's zone, as in DNS; without any, those of the ingress rules.
 */
export function certificateNames(workspace: Workspace): readonly string[] | string {
  const { spec } = workspace;
  const requested = requestedNames(spec.integrations?.[certificateMember]);
  if (typeof requested === 'string') return requested;
  const zone = withoutDot(spec.networking?.dns?.zone ?? '');
  if (!isName(zone) || zone.startsWith('*'))
    return `spec.networking.dns.zone: must be the zone that the names of the certificate are in; found ${quoted(zone)}`;
  const rules = spec.networking?.ingress?.rules ?? [];
  const full =
    requested?.map((name) => fullNameOf(name, zone)) ?? rules.map((rule) => nameOfRule(workspace, rule, zone));
  const names = [...new Set(full)];
  if (names.length === 0)
    return `spec.integrations.${certificateMember}.names: none, and there are no ingress rules to take them from`;
  if (names.length > maxNames)
    return `spec.networking.ingress.rules: ${names.length} names, ${maxNames} at most are in one certificate`;
  const wrong = names.find((name) => !isHostName(name) || !isWithin(name, zone) || name.length > maxNameLength);
  return wrong === undefined
    ? names
    : `spec.integrations.${certificateMember}.names: ${quoted(wrong)} must be a name within the zone ${zone}, of ${maxNameLength} characters at most`;
}

/** Returns the mistake in the names of a workspace's certificate, by its field. */
export function validateCertificate(workspace: Workspace): readonly ReturnType<typeof wrongField>[] {
  const found = certificateNames(workspace);
  return typeof found === 'string' ? [wrongField(found, `spec.integrations.${certificateMember}`)] : [];
}
