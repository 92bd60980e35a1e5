/** Compacts etcd's whole history: through its JSON gateway, in which numbers are strings and keys base64. */
export async function compactEtcd(url: string): Promise<void> {
  const call = async (path: string, body: object) => {
    const options = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
    const answer = await fetch(`${url}${path}`, options);
    if (!answer.ok) throw new Error(`etcd: ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly header: { readonly revision: string } };
  };
  const { header } = await call('/v3/kv/range', { key: btoa('\0') });
  await call('/v3/kv/compaction', { revision: header.revision, physical: true });
}
