/** A value, or the mistake that keeps it from being made. */
export type Checked<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'mistake'; readonly reason: string };

/** The most that a message repeats of what a tenant wrote, in characters. */
const longest = 140;

/** The beginning of a text, short enough for a message. */
export const excerpt = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
