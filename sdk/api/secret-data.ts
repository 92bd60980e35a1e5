/** What of a Secret holds its data. */
interface SecretData {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly stringData?: Readonly<Record<string, unknown>> | undefined;
}

/** A Secret as a server stores it: `stringData`, which is for writing only, is folded into `data`. Anything else is returned as it is. */
export function withFoldedStringData<T extends object>(secret: T): T {
  const { stringData, ...stored } = secret as T & SecretData;
  if (stringData === undefined) return secret;
  const encoded = Object.entries(stringData).map(([name, text]) => [
    name,
    Buffer.from(String(text)).toString('base64'),
  ]);
  return { ...stored, data: { ...stored.data, ...Object.fromEntries(encoded) } } as unknown as T;
}
