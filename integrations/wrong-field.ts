/** Mistake in a workspace as its field, for `validate` of an integration. @param reason begins with its field, or is about `field` */
export function wrongField(reason: string, field: string): { readonly field: string; readonly message: string } {
  const [, named = field] = /^(spec\.[^\s:]+): /.exec(reason) ?? [];
  return { field: named, message: reason };
}
