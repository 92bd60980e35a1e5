import type { User } from '../http/message.ts';
import type { Tokens } from '../machinery.ts';
import { anonymous, authenticated } from './impersonation.ts';

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

/** By bearer token, else by certificate; who shows nothing is anonymous. */
export const authenticateBy =
  (tokens: Pick<Tokens, 'userOf'>): Authenticate =>
  ({ authorization = '', certificate }) => {
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) return certificate ?? anonymous;
    const user = tokens.userOf(token);
    return user instanceof Promise ? user.then((found) => found ?? certificate) : (user ?? certificate);
  };
