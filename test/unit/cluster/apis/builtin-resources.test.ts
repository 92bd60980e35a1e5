import test from 'ava';
import {
  groupVersionOf,
  isCustom,
  qualifiedKindOf,
  qualifiedResourceOf,
  subresourceOf,
} from '../../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { tableOf } from '../../../cluster/encoding/table/table.ts';
import type { TypeRef } from '../../../cluster/resources/type-table.ts';

const find = (apiVersion: string, plural: string) => {
  const found = builtinResources.find((info) => groupVersionOf(info) === apiVersion && info.plural === plural);
  if (found === undefined) throw new Error(`${plural} of ${apiVersion} is not in the table`);
  return found;
};

test('every built-in kind is there once', (t) => {
  const ids = builtinResources.map((info) => `${groupVersionOf(info)}/${info.plural}`);
  t.is(new Set(ids).size, ids.length);
  t.true(ids.length > 55);
});

test('a pod is described as discovery lists it', (t) => {
  const pods = find('v1', 'pods');
  t.like(pods, {
    group: '',
    version: 'v1',
    kind: 'Pod',
    listKind: 'PodList',
    singular: 'pod',
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    hasStatus: true,
    hasGeneration: true,
    deleteReturnsObject: true,
    statusUpdatesMetadata: true,
    storageVersionHash: 'xPOwRZ+Yhw8=',
    type: 'core.Pod',
  });
  t.deepEqual(subresourceOf(pods, 'eviction'), {
    name: 'eviction',
    kind: 'Eviction',
    group: 'policy',
    version: 'v1',
    verbs: ['create'],
  });
  t.false(isCustom(pods));
});

test('kinds differ in what they allow', (t) => {
  t.false(find('coordination.k8s.io/v1', 'leases').unconditionalUpdate);
  t.true(find('coordination.k8s.io/v1', 'leases').createOnUpdate);
  t.true(find('v1', 'configmaps').unconditionalUpdate);
  t.deepEqual(find('authorization.k8s.io/v1', 'selfsubjectaccessreviews').verbs, ['create']);
  t.false(find('v1', 'namespaces').verbs.includes('deletecollection'));
  t.deepEqual(subresourceOf(find('apps/v1', 'deployments'), 'scale')?.group, 'autoscaling');
  t.true(find('v1', 'pods').fieldLabels?.includes('spec.nodeName'));
  t.is(find('v1', 'configmaps').fieldLabels, undefined);
});

test('names are qualified by their group unless it is core', (t) => {
  t.is(qualifiedResourceOf(find('v1', 'pods')), 'pods');
  t.is(qualifiedResourceOf(find('apps/v1', 'deployments')), 'deployments.apps');
  t.is(qualifiedKindOf(find('apps/v1', 'deployments')), 'Deployment.apps');
});

test('every kind has a type, and every type that is referred to is in the tables', (t) => {
  const types = builtinTypes();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const field of types(name).fields.values()) {
      let ref: TypeRef = field.type;
      while (ref.is === 'list' || ref.is === 'map') ref = ref.of;
      t.not(field.name, '', `a field of ${name} cannot be read`);
      if (ref.is === 'struct') visit(ref.name);
    }
  };
  for (const info of builtinResources) visit(info.type!);
  t.true(seen.size > 400);
});

test('a bookmark, which has nothing but a version, is a row of every kind', (t) => {
  for (const info of builtinResources) {
    const { rows } = tableOf(info, [{ metadata: { resourceVersion: '7' } }], { now: 0 });
    t.is((rows as unknown[]).length, 1, info.plural);
  }
});
