/** Validates values by a JSON Schema. */

import type { core } from 'zod';

/** Mistakes that are reported at most. */
const maxMistakes = 3;
/** Maximum reported characters of a mistake. */
const maxMistakeLength = 300;

const wordsOf = ({ path, message }: Pick<core.$ZodIssue, 'path' | 'message'>): string =>
  [path.map(String).join('.'), message].filter(Boolean).join(': ');

/** Describes the mistakes; for a union, those of the first alternative of the value's type. */
const mistakesOf = (issues: readonly core.$ZodIssue[]): readonly string[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [wordsOf(issue)];
    const inner = issue.errors.find((one) => one.some(({ path }) => path.length > 0)) ?? issue.errors[0] ?? [];
    return mistakesOf(inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] })));
  });

/**
 * Returns a function that describes the first mistake in a value; undefined for a valid one.
 * @throws Error when the schema is none
 */
export async function jsonShape(schema: object): Promise<(value: unknown) => string | undefined> {
  const { fromJSONSchema } = await import('zod');
  const shape = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]);
  return (value) => {
    const { success, error } = shape.safeParse(value);
    if (success) return undefined;
    return mistakesOf(error.issues).slice(0, maxMistakes).join('; ').slice(0, maxMistakeLength);
  };
}
