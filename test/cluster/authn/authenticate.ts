/** Authenticates requests by bearer token or client certificate. */

import type { User } from '../requests/message.ts';
import type { Tokens } from '../server/tokens.ts';
import { authenticated } from './impersonation.ts';

/** Credentials of a request. */
export interface Credentials {
  /** Authorization header. */
  readonly authorization: string | undefined;
  /** User of the client certificate, if any. */
  readonly certificate?: User;
}

/** Returns the user of credentials; undefined for invalid ones. */
export type Authenticate = (credentials: Credentials) => User | undefined | Promise<User | undefined>;

/** Returns the user of a certificate's subject: the common name is the user name, organizations are groups. */
export const userOfSubject = (commonName: string, organizations: string | readonly string[] = []): User => ({
  name: commonName,
  groups: [...new Set([organizations].flat().concat(authenticated))],
});

const bearer = /^\s*bearer ([^ ]+)/i;

/** Sources of a request's user. */
export interface UserSources extends Pick<Tokens, 'userOf'> {
  /** Returns the user of requests without credentials; undefined to refuse them. */
  readonly anonymous: () => User | undefined;
}

/** Creates an authenticator: bearer token first, then certificate. */
export const createAuthenticator =
  ({ userOf, anonymous }: UserSources): Authenticate =>
  ({ authorization = '', certificate }) => {
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) return certificate ?? anonymous();
    const user = userOf(token);
    return user instanceof Promise ? user.then((found) => found ?? certificate) : (user ?? certificate);
  };
