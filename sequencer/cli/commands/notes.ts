import { suggestName } from '../../../sdk/host/index.ts';
import type { Integration, KubeObject, Workspace, WorkspaceSpec } from '../../../sdk/index.ts';
import type { LocatedManifest } from '../args/manifests.ts';
import { isWorkspace } from './apply.ts';

const meant = (word: string, names: readonly string[]): string => {
  const near = suggestName(word, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
};

/** Finds conditions in `after` that nearly match one of a registered integration. */
function misspeltAfter(integrations: readonly Integration[]): readonly string[] {
  const known = integrations.map(({ condition }) => condition);
  return integrations.flatMap(({ name, after = [] }) =>
    after
      .filter((type) => !known.includes(type) && suggestName(type, known) !== undefined)
      .map(
        (type) =>
          `integration ${name}: after names ${type}, which no registered integration answers for${meant(type, known)}`,
      ),
  );
}

type SpecMembers = Record<string, unknown>;

/** Returns a spec that reports which members of `integrations` are read. */
function watched(spec: WorkspaceSpec, read: (member: string) => void): WorkspaceSpec {
  const noting =
    <T>(reflect: (target: SpecMembers, member: string | symbol) => T) =>
    (target: SpecMembers, member: string | symbol): T => {
      read(String(member));
      return reflect(target, member);
    };
  const members: SpecMembers = { ...spec.integrations };
  const integrations = new Proxy(members, {
    get: noting(Reflect.get),
    has: noting(Reflect.has),
    getOwnPropertyDescriptor: noting(Reflect.getOwnPropertyDescriptor),
  });
  return { ...spec, integrations };
}

/** Returns the members of `spec.integrations` that the `handles` of any integration reads. */
function readMembers(workspace: Workspace, integrations: readonly Integration[]): ReadonlySet<string> {
  const members = new Set<string>();
  const spec = watched(workspace.spec, (member) => members.add(member));
  for (const { handles } of integrations) {
    try {
      handles({ ...workspace, spec });
    } catch {
      // An error of handles becomes the integration's condition.
    }
  }
  return members;
}

const isAWorkspace = (object: KubeObject): object is Workspace => isWorkspace(object);

function unaskedFor({ object, where }: LocatedManifest, integrations: readonly Integration[]): readonly string[] {
  if (!isAWorkspace(object)) return [];
  const asked = Object.keys(object.spec?.integrations ?? {});
  if (asked.length === 0) return [];
  const read = [...readMembers(object, integrations)];
  return asked
    .filter((member) => !read.includes(member))
    .map(
      (member) => `${where}: spec.integrations.${member}: no registered integration looks for it${meant(member, read)}`,
    );
}

/** Notes on names that are allowed and answered by no integration, one line each. */
export const notesOn = (
  integrations: readonly Integration[],
  manifests: readonly LocatedManifest[],
): readonly string[] => [
  ...misspeltAfter(integrations),
  ...manifests.flatMap((manifest) => unaskedFor(manifest, integrations)),
];
