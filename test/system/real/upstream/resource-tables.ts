/** Formats the tables of built-in kinds as resources, in the notation of `test/cluster/apis/builtin-table.ts`. */

import type { GoResource } from './facts.ts';
import { wrapped } from './wrapped.ts';

const allVerbs = 'create,delete,deletecollection,get,list,patch,update,watch';
const partVerbs = 'get,patch,update';

const isPart = ({ path }: GoResource): boolean => path.includes('/');

/** Returns the folder of a group, such as `core` and `rbac`. */
export const folderOf = ({ group }: GoResource): string => (group === '' ? 'core' : group.split('.')[0]!);

const versionOf = ({ group, version }: GoResource): string => (group === '' ? version : `${group}/${version}`);

function partWord(part: GoResource, kind: string): string {
  const { kindGroup, kindVersion, kind: partKind, verbs } = part;
  const name = part.path.slice(part.path.indexOf('/'));
  const type = kindGroup === part.group ? partKind : `${kindGroup}/${kindVersion}.${partKind}`;
  const isShort = verbs.join() === partVerbs;
  if (isShort && name === '/status' && type === kind) return name;
  if (isShort && name === '/scale' && type === 'autoscaling/v1.Scale') return name;
  return `${name}(${type}:${verbs.join()})`;
}

const deprecated = /^\S+ \S+ is deprecated in v([\d.]+)\+(?:; use (\S+) (\S+))?$/;

/** Returns the version since which a kind is deprecated, and what to use instead. Throws for a text that the notation has not. */
function deprecationWord({ deprecation = '' }: GoResource): string {
  const [, since, apiVersion, kind] = deprecated.exec(deprecation) ?? [];
  if (since === undefined) throw new Error(`the table of kinds has no notation for "${deprecation}"`);
  return apiVersion === undefined ? `!${since}` : `!${since},${apiVersion}.${kind}`;
}

function kindLine(resource: GoResource, parts: readonly GoResource[]): string {
  const { kind, path, shortNames = [], categories = [], storageVersionHash: hash, verbs, strategy } = resource;
  const flags: readonly (readonly [string, boolean | undefined])[] = [
    ['namespaced', resource.namespaced],
    ['generation', strategy?.generation],
    ['unconditional', strategy?.unconditionalUpdate],
    ['upsert', strategy?.createOnUpdate],
    ['returned', resource.deleteReturnsObject],
    ['statusMetadata', parts.find((part) => part.path === `${path}/status`)?.strategy?.metadata],
  ];
  const words = [
    kind,
    path,
    ...shortNames.map((name) => `-${name}`),
    ...categories.map((name) => `@${name}`),
    ...(hash === undefined ? [] : [`#${hash}`]),
    ...(resource.deprecation === undefined ? [] : [deprecationWord(resource)]),
    ...flags.flatMap(([flag, isSet]) => (isSet === true ? [flag] : [])),
    ...(verbs.join() === allVerbs ? [] : [`=${verbs.join()}`]),
    ...(resource.fieldLabels ?? []).map((label) => `?${label}`),
    ...parts.map((part) => partWord(part, kind)),
  ];
  return wrapped(`  ${words.join(' ')}`, /(?<=\S )/, '    ');
}

/** Returns the tables of all groups, by the folder of the group. */
export function resourceTables(resources: readonly GoResource[]): Readonly<Record<string, string>> {
  const tables: Record<string, string> = {};
  for (const [version, ofVersion] of Map.groupBy(resources, versionOf)) {
    const kinds = ofVersion.filter((resource) => !isPart(resource));
    const lines = kinds.map((kind) =>
      kindLine(
        kind,
        ofVersion.filter(({ path }) => path.startsWith(`${kind.path}/`)),
      ),
    );
    const folder = folderOf(ofVersion[0]!);
    const former = tables[folder] === undefined ? '' : `${tables[folder]}\n`;
    tables[folder] = `${former}${version}\n${lines.join('\n')}`;
  }
  return tables;
}
