/** Formats of numbers and durations in texts. */

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Reports whether the digits of a text are a credit card number with a valid check digit. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!cards.test(digits)) return false;
  const worth = [...digits].reverse().map((digit, index) => Number(digit) * (1 + (index % 2)));
  return sum(worth.map((one) => (one > 9 ? one - 9 : one))) % 10 === 0;
}

const bare = (text: string): string => text.replace(/[\s-]+/g, '');

/** Reports whether a text is an ISBN-10 with a valid check digit. */
export function isIsbn10(text: string): boolean {
  const digits = bare(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  return sum([...digits].map((digit, index) => (index + 1) * (digit === 'X' ? 10 : Number(digit)))) % 11 === 0;
}

/** Reports whether a text is an ISBN-13 with a valid check digit. */
export function isIsbn13(text: string): boolean {
  const digits = bare(text);
  return (
    /^\d{13}$/.test(digits) && sum([...digits].map((digit, index) => Number(digit) * (index % 2 ? 3 : 1))) % 10 === 0
  );
}

const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

const isUnit = (text: string): boolean => units.some((names) => names.includes(text) || text.startsWith(names.at(-1)!));

/** Reports whether a text contains an amount of time as Scala writes it: `5 days`, `2w`. Other content is ignored. */
export const hasAmountOfTime = (text: string): boolean =>
  [...text.matchAll(/(?<!\d)\d+\s*([a-zµ]+)/gi)].some(([, unit = '']) => isUnit(unit.toLowerCase()));
