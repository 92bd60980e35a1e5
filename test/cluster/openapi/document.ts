import { groupVersionOf, type ResourceInfo } from '../kinds/resource-info.ts';
import type { TypeTable } from '../kinds/type-table.ts';
import type { Fields } from '../objects/object.ts';
import { type Collector, collect, refTo } from './component.ts';
import { customComponent, customName } from './custom-component.ts';
import { pathsOf, type Subject } from './operations.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** `api/v1`, `apis/apps/v1`: where a group version is served, as the index names it. */
export const rootOf = (info: Pick<ResourceInfo, 'group' | 'version'>): string =>
  `${info.group === '' ? 'api' : 'apis'}/${groupVersionOf(info)}`;

function listComponent(info: ResourceInfo, item: string): Fields {
  const { group, version, listKind } = info;
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: refTo(item) },
      kind: { type: 'string' },
      metadata: refTo(`${meta}.ListMeta`),
    },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
}

function subjectOf(collector: Collector, info: ResourceInfo): Subject {
  const { group, version, kind } = info;
  const object = info.custom === undefined ? collect(collector, info.type!) : customName(info);
  const known = collector.components.get(object);
  collector.components.set(
    object,
    info.custom === undefined
      ? { ...known, 'x-kubernetes-group-version-kind': [{ group, kind, version }] }
      : customComponent(info),
  );
  const list = `${object}List`;
  collector.components.set(list, listComponent(info, object));
  return { info, object, list };
}

/** The OpenAPI v3 document of one group version: `infos` is all that is served there. */
export function openApiDocument(infos: readonly ResourceInfo[], types: TypeTable, version: string): Fields {
  const collector: Collector = { types, components: new Map() };
  for (const name of ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status']) collect(collector, `meta.${name}`);
  collector.components.set(`${meta}.Patch`, { type: 'object' });
  const isCustom = infos.some(({ custom }) => custom !== undefined);
  const paths = infos.map((info) => pathsOf(`/${rootOf(info)}`, subjectOf(collector, info)));
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version },
    paths: Object.assign({}, ...paths) as Fields,
    components: { schemas: Object.fromEntries([...collector.components].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

/** The index of OpenAPI v3 documents; `hashOf` must change whenever a document does, since clients keep documents by it. */
export function openApiIndex(roots: readonly string[], hashOf: (root: string) => string): Fields {
  const paths = [...new Set(roots)].sort().map((root) => {
    const hash = hashOf(root);
    return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
  });
  return { paths: Object.fromEntries(paths) };
}
