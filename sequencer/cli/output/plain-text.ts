/** Texts of others as a terminal may show them: conditions, events and errors hold words of tenants and third parties. */

/** Returns a text as one line, without control characters and those that turn the direction of what follows. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

/** Returns a text whose lines and tabs stay, without other control characters. */
export const plainText = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
