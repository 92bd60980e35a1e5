import type { User } from '../http/message.ts';
import type { Tokens } from '../machinery.ts';
import { authenticated } from './impersonation.ts';

/** What a client shows of itself. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** Who its certificate names; undefined without one. */
  readonly certificate?: User;
}

/** Says who a client is; undefined when what it shows is not good. */
export type Authenticate = (credentials: Credentials) => User | undefined | Promise<User | undefined>;

/** Who a certificate's subject names: the common name is the user, organizations are its groups. */
export const userOfSubject = (commonName: string, organizations: string | readonly string[] = []): User => ({
  name: commonName,
  groups: [...new Set([organizations].flat().concat(authenticated))],
});

const bearer = /^\s*bearer ([^ ]+)/i;

/** How clients are known. */
export interface Known extends Pick<Tokens, 'userOf'> {
  /** Who somebody is who shows nothing; undefined when nobody may do so. */
  readonly nobody: () => User | undefined;
}

/** By bearer token, else by certificate. */
export const authenticateBy =
  ({ userOf, nobody }: Known): Authenticate =>
  ({ authorization = '', certificate }) => {
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) return certificate ?? nobody();
    const user = userOf(token);
    return user instanceof Promise ? user.then((found) => found ?? certificate) : (user ?? certificate);
  };
