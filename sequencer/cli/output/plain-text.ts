/** Sanitizes texts for a terminal, since conditions, events and errors contain texts of tenants and third parties. */

/** Returns a text as one line, without control characters and bidirectional formatting characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

/** Returns a text without control characters other than newlines and tabs. */
export const plainText = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
