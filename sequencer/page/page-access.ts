/** Access to the page. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** User of the page, a person or a program. */
export interface Viewer {
  /** Name for the page, and the key of limits. */
  readonly name: string;
  /** Reports whether the viewer may list the workspaces of a namespace; undefined means all namespaces. */
  mayList(namespace: string | undefined): Promise<boolean>;
  /** Reports whether the viewer may list the events of a namespace. */
  mayListEvents(namespace: string): Promise<boolean>;
}

/** Admits viewers by their bearer token. */
export interface PageAccess {
  /** Returns the viewer of a token; undefined for an invalid one. @throws an error if the token cannot be checked at present */
  admit(token: string): Promise<Viewer | undefined>;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Creates a random token. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** Admits every client with this token, to everything. */
export function accessByToken(token: string): PageAccess {
  const expected = digestOf(token);
  const yes = async () => true;
  const viewer: Viewer = { name: 'you', mayList: yes, mayListEvents: yes };
  return { admit: async (presented) => (timingSafeEqual(digestOf(presented), expected) ? viewer : undefined) };
}
