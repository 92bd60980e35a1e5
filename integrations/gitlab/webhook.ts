/** Webhooks of GitLab: a token that each request bears, and signatures after Standard Webhooks. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../sdk/index.ts';
import type { WebhookRequest } from '../code-host/code-host.ts';
import { headerOf } from '../code-host/options.ts';

/** Largest difference in seconds between the time of a signature and now. */
const tolerance = 300;

/** Returns the key in a signing token, `whsec_` and base64 of 24 to 64 bytes; undefined when it is none. */
export function gitLabKeyOf(token: unknown): Buffer | undefined {
  const [, encoded] = typeof token === 'string' ? (/^whsec_([\w+/]{32,88}={0,2})$/.exec(token) ?? []) : [];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  return key !== undefined && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** Compares in constant time; the length is no secret. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Reports whether a request bears the secret token. */
export const bearsToken = (request: WebhookRequest, secret: string): boolean =>
  isSame(Buffer.from(headerOf(request, 'x-gitlab-token') ?? ''), Buffer.from(secret));

/** Reports whether a request is signed with the key, and was so in the last minutes. */
export function isSignedDelivery(request: WebhookRequest, key: Buffer, clock: Clock): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(request, `webhook-${name}`));
  if (id === undefined || time === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(clock.now() / 1000 - Number(time)) > tolerance) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(request.body).digest();
  return (signatures ?? '')
    .split(' ', 10)
    .filter((one) => one.startsWith('v1,'))
    .some((one) => isSame(Buffer.from(one.slice(3), 'base64'), expected));
}
