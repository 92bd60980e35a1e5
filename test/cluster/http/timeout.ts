import { badRequest } from '../status.ts';

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

const mostNanoseconds = 2 ** 63;

/** What Go says of a text that is no duration; undefined when it is one. */
function durationFault(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  const invalid = `invalid duration ${quoted}`;
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  let total = 0;
  do {
    const [whole = '', digits = ''] = /^(\d*(?:\.\d*)?)/.exec(rest) ?? [];
    if (!/\d/.test(digits)) return invalid;
    const [unit = ''] = /^[^.\d]*/.exec(rest.slice(whole.length)) ?? [];
    if (unit === '') return `missing unit in duration ${quoted}`;
    const size = nanoseconds[unit];
    if (size === undefined) return `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    total += Number(digits) * size;
    rest = rest.slice(whole.length + unit.length);
  } while (rest !== '');
  return total > mostNanoseconds ? invalid : undefined;
}

/** Throws the server's 400 when `timeout` is no duration. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? '';
  const fault = text === '' ? undefined : durationFault(text);
  if (fault !== undefined) throw badRequest(`invalid timeout specified in the request URL - time: ${fault}`);
}
