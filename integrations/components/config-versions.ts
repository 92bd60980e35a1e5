/** Versions of the Secrets and ConfigMaps that pods read. */

import { createHash } from 'node:crypto';
import type { ConfigMap, Secret } from '../../sdk/index.ts';

/** Versions of Secrets and ConfigMaps, by `Secret/name` and `ConfigMap/name`. */
export type ConfigVersions = ReadonlyMap<string, string>;

const versionsOf = (kind: string, objects: readonly (Secret | ConfigMap)[]): readonly [string, string][] =>
  objects.map(({ metadata }) => [`${kind}/${metadata.name}`, `${metadata.uid}/${metadata.resourceVersion}`]);

/** Returns the versions of these objects; never anything of their data. */
export const configVersionsOf = (secrets: readonly Secret[], configMaps: readonly ConfigMap[]): ConfigVersions =>
  new Map([...versionsOf('Secret', secrets), ...versionsOf('ConfigMap', configMaps)]);

/** Members of a pod spec that name a Secret or a ConfigMap, with the member that holds the name. A map, since tenants write the names of members. */
const referring: ReadonlyMap<string, readonly [kind: string, member: string]> = new Map([
  ['secretKeyRef', ['Secret', 'name']],
  ['secretRef', ['Secret', 'name']],
  ['secret', ['Secret', 'secretName']],
  ['configMapKeyRef', ['ConfigMap', 'name']],
  ['configMapRef', ['ConfigMap', 'name']],
  ['configMap', ['ConfigMap', 'name']],
]);

const namesIn = (member: string, value: object): readonly string[] => {
  const [kind, name] = referring.get(member) ?? [];
  if (kind === undefined || name === undefined) return [];
  const { [name]: named, name: projected } = value as Readonly<Record<string, unknown>>;
  return [named, projected].filter((one) => typeof one === 'string').map((one) => `${kind}/${one}`);
};

/** Returns the Secrets and ConfigMaps that a pod spec names in environments and volumes, as `Secret/name`. Linear in the size of the spec. */
function configOf(spec: object): ReadonlySet<string> {
  const names = new Set<string>();
  let level: readonly object[] = [spec];
  while (level.length > 0)
    level = level.flatMap((value) =>
      Object.entries(value).flatMap(([member, inner]: [string, unknown]) => {
        if (typeof inner !== 'object' || inner === null) return [];
        for (const name of namesIn(member, inner)) names.add(name);
        return [inner];
      }),
    );
  return names;
}

/** Returns a digest of the versions of all Secrets and ConfigMaps that a pod spec names; undefined when none of them has a known version. */
export function configDigestOf(spec: object, versions: ConfigVersions): string | undefined {
  const known = [...configOf(spec)].filter((name) => versions.has(name)).sort();
  if (known.length === 0) return undefined;
  const text = known.map((name) => `${name} ${versions.get(name)}`).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
