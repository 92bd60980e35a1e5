/** Label selectors in the syntax of kubectl, such as `team=a,tier in (gold, silver),!old`. */

type Labels = Readonly<Record<string, string>>;

/** One requirement: `key`, `!key`, `key = value`, `key != value`, `key in (…)` or `key notin (…)`. */
const requirement =
  /^\s*(?:(?<absent>!)\s*)?(?<key>[^\s!=,()]+)\s*(?:(?<sign>==?|!=)\s*(?<value>[^\s!=,()]*)|\s(?<set>in|notin)\s*\((?<values>[^()]*)\))?\s*$/;

/** Splits at the commas outside of parentheses. */
const partsOf = (selector: string): readonly string[] => selector.match(/(?:\([^()]*\)|[^,()])+/g) ?? [];

function holds(part: string, labels: Labels): boolean {
  const { absent, key = '', sign, value = '', set, values } = requirement.exec(part)?.groups ?? {};
  if (key === '') throw new TypeError(`label selector: ${part.trim()} cannot be read`);
  const found = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (sign !== undefined) return (found === value) === (sign !== '!=');
  if (set !== undefined) {
    const isIn = (values ?? '').split(',').some((one) => one.trim() === found);
    return isIn === (set === 'in');
  }
  return (found === undefined) === (absent !== undefined);
}

/** Reports whether labels match a selector; an empty one matches all. @throws TypeError for a selector that cannot be read */
export const matchesSelector = (selector: string, labels: Labels = {}): boolean =>
  partsOf(selector).every((part) => holds(part, labels));
