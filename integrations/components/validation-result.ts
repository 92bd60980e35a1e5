/** Result type of validations, and excerpts for their messages. */

/** Valid value, or the reason why it is invalid. */
export type ValidationResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'mistake'; readonly reason: string };

/** Longest excerpt of a tenant's text in a message, in characters. */
const maxLength = 140;

/** Truncates a text for a message. */
export const excerpt = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
