/** Signatures of requests, as Standard Webhooks has them (https://www.standardwebhooks.com). */

import { createHmac } from 'node:crypto';

/** Headers of a signed request. */
export type SignedHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/** Message to sign. */
export interface SignedMessage {
  /** Another one for each request. */
  readonly id: string;
  /** Wall clock in ms. */
  readonly now: number;
  readonly body: string;
}

const prefix = 'whsec_';

/** Returns the key in a secret `whsec_<base64>`; undefined unless it has 24 to 64 bytes. */
export function signingKeyOf(secret: unknown): Buffer | undefined {
  if (typeof secret !== 'string' || !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)) return undefined;
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** Signs a message: one signature for each key, so that a server may know any of them. The time is reported in seconds. */
export function signedHeaders(keys: readonly Buffer[], { id, now, body }: SignedMessage): SignedHeaders {
  const timestamp = String(Math.floor(now / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
