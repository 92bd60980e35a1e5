/** Settings that a workspace has in `spec.integrations['s3-bucket']`, and their checks. */

import { isJsonObject, unknownIn, type Workspace } from '../../sdk/index.ts';
import { quoted } from '../quoted-text.ts';
import { type CheckedS3Options, maxDays } from './options.ts';

/** Member of `spec.integrations`, and name of the integration. */
export const bucketMember = 's3-bucket';

/** Valid settings of a workspace. */
export interface RequestedBucket {
  readonly versioning: boolean;
  /** 0 for never. */
  readonly expireAfterDays: number;
}

/** Reports whether a workspace requests a bucket. */
export const asksForBucket = ({ spec }: Workspace): boolean => Object.hasOwn(spec.integrations ?? {}, bucketMember);

/** Returns the settings of a workspace with the operator's defaults, or the first mistake with its field, the expected and the found value. */
export function bucketSettingsOf(
  { spec }: Workspace,
  { versioning, expireAfterDays }: Pick<CheckedS3Options, 'versioning' | 'expireAfterDays'>,
): RequestedBucket | string {
  const requested: unknown = spec.integrations?.[bucketMember];
  const at = `spec.integrations.${bucketMember}`;
  if (!isJsonObject(requested)) return `${at} must be an object, {} for the defaults; found ${quoted(requested)}`;
  const unknown = unknownIn(requested, ['versioning', 'expireAfterDays'], `${at}.`);
  if (unknown !== undefined) return unknown.slice(0, 300);
  const settings = { versioning, expireAfterDays, ...requested };
  if (typeof settings.versioning !== 'boolean')
    return `${at}.versioning must be true or false; found ${quoted(settings.versioning)}`;
  const [days, most]: [unknown, number] = [settings.expireAfterDays, expireAfterDays || maxDays];
  const isRight = days === expireAfterDays || (Number.isInteger(days) && Number(days) >= 1 && Number(days) <= most);
  return isRight ? settings : `${at}.expireAfterDays must be a whole number from 1 to ${most}; found ${quoted(days)}`;
}
