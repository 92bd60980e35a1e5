/** Formats numbers as Go does. */

/** Formats a number as Go's `%g`: with the fewest digits that identify it, with an exponent from a million on and below 1e-4. */
export function goDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  return exponent < 0 ? value.toFixed(Math.max(0, digits.replace(/^-?\d\.?/, '').length - exponent)) : String(value);
}

/** Formats a number as Go's `%.Nf`. */
export const goFixed = (value: number, precision: number): string =>
  Number.isFinite(value) ? value.toFixed(precision) : goDouble(value);
