/** Texts about the objects that exist at the third party. */

import type { RemoteObject } from '../subject/subject.ts';

/** Returns the descriptions of external objects, sorted, which are equal in equal scenarios. */
export const descriptionsOf = (things: readonly RemoteObject[]): readonly string[] =>
  things.map((thing) => (typeof thing === 'string' ? thing : thing.what)).sort();

/** Returns the id of an external object, or its description if it has none. */
export const idOf = (thing: RemoteObject): string => (typeof thing === 'string' ? thing : thing.id);

/** Formats external objects for messages. */
export const listed = (things: readonly RemoteObject[]): string =>
  things.length === 0
    ? 'nothing'
    : things.map((thing) => (typeof thing === 'string' ? thing : `${thing.id} (${thing.what})`)).join(', ');
