import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { builtinTable } from '../../../cluster/apis/builtin-table.ts';
import {
  bootstrapBindings,
  bootstrapClusterBindings,
  bootstrapClusterRoles,
  bootstrapRoles,
} from '../../../cluster/bootstrap/bootstrap-roles.ts';
import { controllerRoleTable } from '../../../cluster/bootstrap/controller-role-table.ts';
import * as roleTable from '../../../cluster/bootstrap/role-table.ts';
import * as seedTable from '../../../cluster/bootstrap/system-object-table.ts';
import { tableOf } from '../../../cluster/encoding/table/table.ts';
import { internalStructs } from '../../../cluster/resources/internal-structs.ts';
import { type GoMetadata, type GoResource, readFacts } from './facts.ts';
import { resourceTables } from './resource-tables.ts';
import { roleTables } from './role-tables.ts';
import { seedTables } from './seed-tables.ts';
import { structTable } from './struct-table.ts';
import { typeTables } from './type-tables.ts';
import { versionChanges } from './version-changes.ts';
import { builtProgramOf } from './version-program.ts';

const folder = join(import.meta.dirname, '../../../cluster/apis');
const facts = await readFacts();
const { types, resources, forms, roles, seeds } = facts;
const advice = 'npm run generate:upstream writes it again';

for (const [path, text] of Object.entries(typeTables(types))) {
  test(`${path} says what this version of Kubernetes says`, (t) => {
    t.is(readFileSync(join(folder, path), 'utf8'), text, advice);
  });
}

/** Returns the lines of a table by the line of their group and version, which begins no line with a space. */
const groupsOf = (table: string): readonly string[] => table.split(/\n(?! )/).sort();

test('the kinds that are served, their names, verbs, subresources and flags are those of this version', (t) => {
  t.deepEqual(groupsOf(builtinTable), groupsOf(Object.values(resourceTables(resources)).join('\n')), advice);
});

test('the internal structs are those of this version', (t) => {
  t.is(internalStructs, structTable(forms, types), advice);
});

test('the tables of roles and bindings are those of this version', (t) => {
  t.deepEqual({ ...roleTable, controllerRoleTable }, roleTables(roles), advice);
});

test('the tables of initial objects are those of this version', (t) => {
  const { parseObjectTable: _, ...tables } = seedTable;
  t.deepEqual(tables, seedTables(seeds), advice);
});

const versions = join(folder, '../resources/versions');
for (const file of globSync('*.ts', { cwd: versions })) {
  const { changes } = (await import(join(versions, file))) as { readonly changes: object };
  const [, version = ''] = /generate:upstream -- (\S+)`/.exec(readFileSync(join(versions, file), 'utf8')) ?? [];
  const program = builtProgramOf(version);
  (program === undefined ? test.skip : test)(`${file} says what ${version} says otherwise`, async (t) => {
    t.deepEqual(changes, versionChanges(facts, await readFacts(program)), `${advice}, with -- ${version}`);
  });
}

/** Returns objects as JSON holds them, by their names, which are unique. */
const byName = (objects: readonly { readonly metadata: GoMetadata }[]): Readonly<Record<string, object>> =>
  Object.fromEntries(
    objects.map((object) => [
      `${object.metadata.namespace ?? ''}/${object.metadata.name}`,
      JSON.parse(JSON.stringify(object)),
    ]),
  );

/** Returns an object as a server stores it: with its version, which Go's literals lack, and without empty lists. */
function stored(kind: string, object: object): { readonly metadata: GoMetadata } {
  const present = Object.entries(object).filter(([, value]) => value !== null);
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, ...Object.fromEntries(present) } as never;
}

test('default roles and bindings are those of this version, to the label', (t) => {
  const clusterRoles = [...roles.clusterRoles, ...roles.controllerRoles];
  const made = byName(bootstrapClusterRoles() as never);
  t.is(Object.keys(made).length, clusterRoles.length);
  for (const role of clusterRoles)
    t.like(made[`/${role.metadata.name}`], stored('ClusterRole', role), role.metadata.name);
  const bindings = [...roles.clusterBindings, ...roles.controllerBindings];
  t.deepEqual(
    byName(bootstrapClusterBindings() as never),
    byName(bindings.map((binding) => stored('ClusterRoleBinding', binding))),
  );
  const inNamespaces = (kind: string, all: Readonly<Record<string, readonly object[]>>) =>
    byName(Object.values(all).flatMap((objects) => objects.map((object) => stored(kind, object))));
  t.deepEqual(byName(bootstrapRoles() as never), inNamespaces('Role', roles.roles));
  t.deepEqual(byName(bootstrapBindings() as never), inNamespaces('RoleBinding', roles.bindings));
});

const ours = ({ group, version, path }: GoResource) =>
  builtinResources.find((info) => info.group === group && info.version === version && info.plural === path);

for (const resource of resources.filter(({ path }) => !path.includes('/'))) {
  const { group, version, path, columns, deprecation = '' } = resource;
  test(`${path} of ${group === '' ? '' : `${group}/`}${version} have the columns and the deprecation of this version`, (t) => {
    const info = ours(resource);
    t.is(info?.deprecationWarning ?? '', deprecation);
    if (info === undefined || columns === undefined) return;
    t.deepEqual(tableOf(info, [], { now: 0 }).columnDefinitions, columns, advice);
  });
}
