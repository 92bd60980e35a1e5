import { createHmac } from 'node:crypto';

/** Returns the headers of a delivery that is signed after Standard Webhooks. */
export function signedHeaders(key: Buffer, body: string, time: number): Record<string, string> {
  const id = 'one';
  const stamp = `${Math.floor(time / 1000)}`;
  const signature = createHmac('sha256', key).update(`${id}.${stamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': `v1,${signature}` };
}
