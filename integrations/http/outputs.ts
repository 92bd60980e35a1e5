/** Outputs that the service declares, read from the ids and Secrets of its objects. */

import {
  type OutputDeclarations,
  type Outputs,
  type ProviderController,
  type Ref,
  secretNameOf,
} from '../../sdk/index.ts';

/** Returns the outputs of an object: members of its id, and keys of its Secret; with several objects they are named `<slot>/<name>`. */
function outputsOfObject({ slot, id }: Ref, declared: OutputDeclarations, name: string): Outputs {
  const before = slot === '' ? '' : `${slot}/`;
  const members = id as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(declared).map(([key, one]) => [
      `${before}${key}`,
      one.secret === true ? { secretKeyRef: { name, key } } : (members[key] as string),
    ]),
  );
}

/** Returns the declared outputs of the one external object or, where they are declared of each, of the several ones that are there. */
export function outputsOf(
  declared: OutputDeclarations,
  { refs, workspace, condition }: Pick<ProviderController, 'refs' | 'workspace' | 'condition'>,
): Outputs {
  const isOfEach = Object.values(declared).some(({ each }) => each !== undefined);
  const objects = refs.filter(({ slot }) => (slot !== '') === isOfEach).toReversed(); // the first of two objects of one name is used
  const secretOf = ({ slot }: Ref): string => secretNameOf(workspace, condition.type, String(slot));
  return Object.assign({}, ...objects.map((object) => outputsOfObject(object, declared, secretOf(object))));
}
