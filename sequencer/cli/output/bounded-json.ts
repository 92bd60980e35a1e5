/** Bounds JSON values of any size, such as logged errors with all that a third party has answered. */

import { cutText } from '../../../sdk/host/index.ts';

/** Longest text, in characters; most members of an object or items of a list; characters of all texts and names together. */
const most = { text: 16_384, members: 200, all: 131_072 };

/**
 * Returns a JSON value with long texts cut, and without the members and items beyond the bounds. A cut value ends in a count of the omitted items, as
 * `… and 7 more`. Takes time in proportion to the bounds, not to the value.
 * @param redact called with each cut text: it has to recognise a secret whose end was cut off
 */
export function boundedJson(value: unknown, redact: (text: string) => string): unknown {
  let left = most.all;
  const bounded = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const kept = cutText(one, Math.min(most.text, left));
      left -= kept.length;
      return kept.length < one.length ? `${redact(kept)}… and ${one.length - kept.length} more` : kept;
    }
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return boundedItems(one);
    return boundedMembers(Object.entries(one));
  };
  const boundedItems = (items: readonly unknown[]): readonly unknown[] => {
    const kept: unknown[] = [];
    for (const item of items) {
      if (kept.length === most.members || left <= 0) return [...kept, `… and ${items.length - kept.length} more`];
      left -= 1;
      kept.push(bounded(item));
    }
    return kept;
  };
  const boundedMembers = (members: readonly (readonly [string, unknown])[]): object => {
    const kept: [string, unknown][] = [];
    for (const [name, member] of members) {
      if (kept.length === most.members || left <= 0) {
        kept.push(['…', `and ${members.length - kept.length} more`]);
        break;
      }
      left -= name.length + 1;
      kept.push([name.slice(0, most.text), bounded(member)]);
    }
    return Object.fromEntries(kept);
  };
  return bounded(value);
}
