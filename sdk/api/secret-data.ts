/** Data of Secrets. */

/** Data members of a Secret. */
interface SecretData {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly stringData?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns a Secret as a server stores it: the write-only `stringData` is merged into `data`. Any other object is returned unchanged. */
export function withFoldedStringData<T extends object>(secret: T): T {
  const { stringData, ...stored } = secret as T & SecretData;
  if (stringData === undefined) return secret;
  const encoded = Object.entries(stringData).map(([name, text]) => [
    name,
    Buffer.from(String(text)).toString('base64'),
  ]);
  return { ...stored, data: { ...stored.data, ...Object.fromEntries(encoded) } } as unknown as T;
}
