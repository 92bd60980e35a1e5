/** Passwords of roles. */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Returns a new password: 192 bits, of characters that need no escaping in a URI. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** Number of iterations, PostgreSQL's default. */
const iterations = 4096;

/**
 * Returns what PostgreSQL stores of a password (RFC 5803, SCRAM-SHA-256), as libpq's PQencryptPasswordConn does: sent in its place, so that the
 * password is in no statement and no log of the server. For ASCII passwords.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256'); // two milliseconds
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}
