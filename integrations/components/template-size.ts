/** Limits of the size and depth of templates. */

/** Deepest nesting of objects and lists in a template; a pod spec has ten levels at most. */
const maxDepth = 32;

/** Limit of the characters of keys and values in all templates of a workspace. */
const maxLength = 512 * 1024;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the length of a value without its members. */
const lengthOf = (value: unknown): number => (isContainer(value) ? 2 : String(value).length);

/**
 * Explains why these templates are too large or too deep to be processed; undefined when they are not. Walks without recursion, so that no depth
 * exhausts the stack, and stops at the limit.
 */
export function excessOf(
  templates: readonly { readonly name: string; readonly template: object }[],
): string | undefined {
  let length = 0;
  for (const { name, template } of templates) {
    let level: readonly unknown[] = [template];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > maxDepth) return `component ${name}: template: has more than ${maxDepth} levels`;
      const members = level.filter(isContainer).flatMap((value): [string, unknown][] => Object.entries(value));
      for (const [key, member] of members) length += key.length + lengthOf(member);
      if (length > maxLength)
        return `component ${name}: template: more than ${maxLength} characters in the templates up to here`;
      level = members.map(([, member]) => member);
    }
  }
  return undefined;
}
