type Headers = Readonly<Record<string, string | undefined>>;

const prefix = 'impersonate-';

/** Whether each value of a header counts for itself when it is given more than once: those that ask to be somebody, where a comma is part of a name. */
export const countsOneByOne = (name: string): boolean => name.startsWith(prefix);

/** Headers as Node has put them together, with a line for each value of those that count one by one; `raw` has names and values in turn. */
export function withRepeated(headers: Headers, raw: readonly string[]): Headers {
  let result = headers;
  for (const name in headers) {
    if (!countsOneByOne(name) || !headers[name]?.includes(', ')) continue;
    const values = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]!.toLowerCase() === name);
    result = { ...result, [name]: values.join('\n') };
  }
  return result;
}
