/** CEL functions of quantities and semantic versions. */

import { parseQuantity, type Quantity, quantityFormatMessage } from '../../apimachinery/formats/quantity.ts';
import { comparedVersions, tolerantVersionIn, type Version, VersionError, versionIn } from '../semver.ts';
import { libraryType } from '../typing/declarations.ts';
import { noOverload } from '../values/compare.ts';
import { CelError, Opaque, type Value } from '../values/values.ts';
import type { Implementation } from './operators.ts';

const quantityType = libraryType('quantity');
const semverType = libraryType('semver');
const billion = 1_000_000_000n;

/** Quantity, and whether it was written without a fraction. */
interface Amount extends Quantity {
  readonly whole: boolean;
}

const amountOf = (amount: Amount): Opaque => new Opaque(quantityType, amount, String(amount.nano));
const amountIn = (value: Value | undefined): Amount | undefined =>
  value instanceof Opaque && value.type === quantityType ? (value.content as Amount) : undefined;

const versionOf = (version: Version): Opaque =>
  new Opaque(semverType, version, `${version.numbers.join('.')}-${version.pre.join('.')}`);
const semverIn = (value: Value | undefined): Version | undefined =>
  value instanceof Opaque && value.type === semverType ? (value.content as Version) : undefined;

const toQuantity: Implementation = (text) => {
  if (typeof text !== 'string') return noOverload;
  const quantity = parseQuantity(text);
  if (quantity === undefined) return new CelError(quantityFormatMessage);
  return amountOf({ ...quantity, whole: quantity.nano % billion === 0n && !/[num]$/.test(text) });
};

function semverOf(text: Value, tolerant: Value = false): Version | CelError {
  if (typeof text !== 'string' || typeof tolerant !== 'boolean') return noOverload;
  try {
    return tolerant ? tolerantVersionIn(text) : versionIn(text);
  } catch (error) {
    if (error instanceof VersionError) return new CelError(error.message);
    throw error;
  }
}

const toSemver: Implementation = (text, tolerant) => {
  const version = semverOf(text!, tolerant);
  return version instanceof CelError ? version : versionOf(version);
};

/** Compares two quantities or two versions: -1, 0 or 1. */
function order(a: Value | undefined, b: Value | undefined): number | undefined {
  const [left, right] = [amountIn(a), amountIn(b)];
  if (left !== undefined && right !== undefined) return left.nano < right.nano ? -1 : left.nano > right.nano ? 1 : 0;
  const [older, newer] = [semverIn(a), semverIn(b)];
  return older === undefined || newer === undefined ? undefined : comparedVersions(older, newer);
}

const byOrder =
  (run: (order: number) => Value): Implementation =>
  (a, b) => {
    const found = order(a, b);
    return found === undefined ? noOverload : run(found);
  };

const ofAmount =
  (run: (amount: Amount) => Value): Implementation =>
  (value) => {
    const amount = amountIn(value);
    return amount === undefined ? noOverload : run(amount);
  };

const withAmount =
  (sign: bigint): Implementation =>
  (value, other) => {
    const amount = amountIn(value);
    const more = typeof other === 'bigint' ? other * billion : amountIn(other)?.nano;
    if (amount === undefined || more === undefined) return noOverload;
    const nano = amount.nano + sign * more;
    const isWhole = amount.whole && (typeof other === 'bigint' || amountIn(other)!.whole);
    return amountOf({ nano, format: amount.format, whole: isWhole });
  };

const ofVersion =
  (index: 0 | 1 | 2): Implementation =>
  (value) => {
    const version = semverIn(value);
    return version === undefined ? noOverload : BigInt.asIntN(64, version.numbers[index]); // as Go's int64 of a uint64
  };

/** Functions of quantities and versions. */
export const amountFunctions: Readonly<Record<string, Implementation>> = {
  quantity: toQuantity,
  isQuantity: (text) => (typeof text === 'string' ? parseQuantity(text) !== undefined : noOverload),
  sign: ofAmount(({ nano }) => (nano < 0n ? -1n : nano > 0n ? 1n : 0n)),
  isGreaterThan: byOrder((found) => found > 0),
  isLessThan: byOrder((found) => found < 0),
  compareTo: byOrder(BigInt),
  asApproximateFloat: ofAmount(({ nano }) => Number(nano) / 1e9),
  asInteger: ofAmount(({ nano, whole }) => (whole ? nano / billion : new CelError('cannot convert value to integer'))),
  isInteger: ofAmount(({ whole }) => whole),
  add: withAmount(1n),
  sub: withAmount(-1n),
  semver: toSemver,
  isSemver: (text, tolerant) => !(semverOf(text!, tolerant) instanceof CelError),
  major: ofVersion(0),
  minor: ofVersion(1),
  patch: ofVersion(2),
};
