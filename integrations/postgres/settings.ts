/** Settings that a workspace has in `spec.integrations['postgres-database']`, and their checks. */

import { isJsonObject, unknownIn, type Workspace } from '../../sdk/index.ts';
import { quoted } from '../quoted-text.ts';
import type { CheckedPostgresOptions } from './options.ts';

/** Member of `spec.integrations`, and name of the integration. */
export const member = 'postgres-database';

/** Valid settings of a workspace. */
export interface DatabaseSettings {
  readonly template: string;
  readonly connectionLimit: number;
}

/** Reports whether a workspace requests a database. */
export const asksForDatabase = ({ spec }: Workspace): boolean => Object.hasOwn(spec.integrations ?? {}, member);

/** Returns the settings of a workspace with the operator's defaults, or the first mistake with its field, the expected and the found value. */
export function databaseSettingsOf(
  { spec }: Workspace,
  { template, templates, connectionLimit }: Pick<CheckedPostgresOptions, 'template' | 'templates' | 'connectionLimit'>,
): DatabaseSettings | string {
  const requested: unknown = spec.integrations?.[member];
  const at = `spec.integrations.${member}`;
  if (!isJsonObject(requested)) return `${at} must be an object, {} for the defaults; found ${quoted(requested)}`;
  const unknown = unknownIn(requested, ['template', 'connectionLimit'], `${at}.`);
  if (unknown !== undefined) return unknown.slice(0, 300);
  const settings = { template, connectionLimit, ...requested };
  const allowed = [template, ...templates];
  if (!allowed.includes(settings.template))
    return `${at}.template must be one of ${allowed.join(', ')}; found ${quoted(settings.template)}`;
  const limit: unknown = settings.connectionLimit;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > connectionLimit)
    return `${at}.connectionLimit must be a whole number from 1 to ${connectionLimit}; found ${quoted(limit)}`;
  return settings;
}
