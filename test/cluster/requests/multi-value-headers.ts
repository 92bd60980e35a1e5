/** Keeps the values of repeated impersonation headers apart. */

type Headers = Readonly<Record<string, string | undefined>>;

const prefix = 'impersonate-';

/** Reports whether repeated values of a header stay separate: impersonation headers, whose values may contain commas. */
export const isMultiValue = (name: string): boolean => name.startsWith(prefix);

/** Returns Node's joined headers with one line per value of impersonation headers; `raw` alternates names and values. */
export function withMultiValueHeaders(headers: Headers, raw: readonly string[]): Headers {
  let result = headers;
  for (const name in headers) {
    if (!isMultiValue(name) || !headers[name]?.includes(', ')) continue;
    const values = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]!.toLowerCase() === name);
    result = { ...result, [name]: values.join('\n') };
  }
  return result;
}
