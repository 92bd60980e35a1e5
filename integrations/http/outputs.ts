import type { OutputDeclarations, Outputs, ProviderController } from '../../sdk/index.ts';

/** Returns the declared outputs: members of the thing's id, and keys of its Secret `<workspace>-<condition>`. */
export function outputsOf(
  declared: OutputDeclarations,
  { refs, workspace, condition }: Pick<ProviderController, 'refs' | 'workspace' | 'condition'>,
): Outputs {
  const id = refs.find(({ slot }) => slot === '')?.id as Readonly<Record<string, unknown>> | undefined;
  if (id === undefined) return {};
  const name = `${workspace.metadata.name}-${condition.type.toLowerCase()}`;
  return Object.fromEntries(
    Object.entries(declared).map(([key, { secret }]) => [
      key,
      secret === true ? { secretKeyRef: { name, key } } : (id[key] as string),
    ]),
  );
}
