/** Label selectors in the syntax of kubectl, such as `team=a,tier in (gold, silver),!old`. */

type Labels = Readonly<Record<string, string>>;

/** Reports whether labels meet a requirement. */
type Requirement = (labels: Labels) => boolean;

/** `key`, `!key`, `key = value`, `key != value`, `key > 1`, `key < 1`, `key in (…)` or `key notin (…)`. */
const requirement =
  /^\s*(?:(?<absent>!)\s*)?(?<key>[^\s!=<>,()]+)\s*(?:(?<sign>==?|!=|>|<)\s*(?<value>[^\s!=<>,()]*)|\s(?<set>in|notin)\s*\((?<values>[^()]*)\))?\s*$/;

/** Splits at the commas outside of parentheses. */
const partsOf = (selector: string): readonly string[] =>
  selector.trim() === '' ? [] : [...selector.matchAll(/(?:^|,)((?:\([^()]*\)|[^,])*)/g)].map(([, part = '']) => part);

const isName = (text: string): boolean => text.length <= 63 && /^[a-z\d](?:[-\w.]*[a-z\d])?$/i.test(text);
const isValue = (text: string): boolean => text === '' || isName(text);
const isPrefix = (text: string): boolean => text.length <= 253 && /^[a-z\d](?:[-a-z\d.]*[a-z\d])?$/.test(text);

function isKey(text: string): boolean {
  const [name = '', ...prefix] = text.split('/').reverse();
  return isName(name) && prefix.length <= 1 && prefix.every(isPrefix);
}

/** Returns the test of a sign and the value beside it. */
function comparison(sign: string, value: string): ((found: string | undefined) => boolean) | undefined {
  if (!isValue(value)) return undefined;
  if (sign === '!=') return (found) => found !== value;
  if (sign === '=' || sign === '==') return (found) => found === value;
  const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);
  if (!isNumber(value)) return undefined;
  return (found) => isNumber(found) && (sign === '>' ? BigInt(found) > BigInt(value) : BigInt(found) < BigInt(value));
}

/** Returns the test of the values in parentheses. */
function membership(isIn: boolean, values: readonly string[]): ((found: string | undefined) => boolean) | undefined {
  if (!values.every(isValue)) return undefined;
  return (found) => (found !== undefined && values.includes(found)) === isIn;
}

/** Parses a requirement; undefined for one that cannot be read. */
function requirementOf(part: string): Requirement | undefined {
  const { absent, key = '', sign, value = '', set, values = '' } = requirement.exec(part)?.groups ?? {};
  if (!isKey(key) || (absent !== undefined && (sign ?? set) !== undefined)) return undefined;
  const list = values.split(',').map((one) => one.trim());
  const presence = (found: string | undefined) => (found === undefined) === (absent !== undefined);
  const holds = sign ? comparison(sign, value) : set ? membership(set === 'in', list) : presence;
  return holds && ((labels) => holds(Object.hasOwn(labels, key) ? labels[key] : undefined));
}

/** Returns the first requirement of a selector that cannot be read; undefined if all can. */
export const unreadableRequirement = (selector: string): string | undefined =>
  partsOf(selector)
    .find((part) => requirementOf(part) === undefined)
    ?.trim();

/** Reports whether labels match a selector; an empty one matches all, and one that cannot be read none. */
export const matchesSelector = (selector: string, labels: Labels = {}): boolean =>
  partsOf(selector).every((part) => requirementOf(part)?.(labels) === true);
