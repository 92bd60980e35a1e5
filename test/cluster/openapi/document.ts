import { typeNameOf } from '../kinds/builtin.ts';
import { type ResourceInfo, rootOf, type SubresourceInfo } from '../kinds/resource-info.ts';
import type { TypeTable } from '../kinds/type-table.ts';
import type { Fields } from '../objects/object.ts';
import { type Collector, collect, refTo } from './component.ts';
import { customComponent, customName } from './custom-component.ts';
import type { Subject } from './operation-table.ts';
import { pathsOf, resourcesPath } from './operations.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function listComponent(info: ResourceInfo, item: string): Fields {
  const { group, version, listKind } = info;
  const isCustom = info.custom !== undefined;
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: isCustom ? refTo(item) : { default: {}, allOf: [refTo(item)] } },
      kind: { type: 'string' },
      metadata: { ...(!isCustom && { default: {} }), allOf: [refTo(`${meta}.ListMeta`)] },
    },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
}

const kindsWord = 'x-kubernetes-group-version-kind';

/** Makes a built-in kind a component that says which kind it is; returns its name. */
function collectKind(collector: Collector, type: string, { group, version, kind }: Kind): string {
  const name = collect(collector, type);
  collector.components.set(name, { ...collector.components.get(name), [kindsWord]: [{ group, kind, version }] });
  return name;
}

type Kind = Pick<ResourceInfo, 'group' | 'version' | 'kind'>;

function subjectOf(collector: Collector, info: ResourceInfo): Subject {
  const isCustom = info.custom !== undefined;
  const object = isCustom ? customName(info) : collectKind(collector, info.type!, info);
  if (isCustom) collector.components.set(object, customComponent(info));
  const list = `${object}List`;
  if (info.verbs.includes('list')) collector.components.set(list, listComponent(info, object));
  return { info, object, list };
}

/** The subject of a subresource: many have a kind of their own. */
function partOf(collector: Collector, subject: Subject, subresource: SubresourceInfo): Subject {
  const { info } = subject;
  const { group = info.group, version = info.version, kind } = subresource;
  if (kind === info.kind || kind.endsWith('Options')) return { ...subject, subresource };
  const type = typeNameOf(group === '' ? version : `${group}/${version}`, kind);
  return { ...subject, subresource, object: collectKind(collector, type, { group, version, kind }) };
}

/** What the documents of built-in kinds have besides: who may ask, and pages of their own. */
function ownParts(collector: Collector, infos: readonly ResourceInfo[]): Fields {
  const [first] = infos;
  if (first === undefined || first.custom !== undefined) return {};
  collectKind(collector, 'pages.APIResourceList', { group: '', version: 'v1', kind: 'APIResourceList' });
  if (infos.some(({ verbs }) => verbs.includes('watch'))) {
    collectKind(collector, 'pages.WatchEvent', { group: '', version: 'v1', kind: 'WatchEvent' });
  }
  return { [`/${rootOf(first)}/`]: resourcesPath(first) };
}

/** How requests say who asks. */
export const bearer = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};

/** The OpenAPI v3 document of one group version: `infos` is all that is served there. */
export function openApiDocument(infos: readonly ResourceInfo[], types: TypeTable, version: string): Fields {
  const collector: Collector = { types, components: new Map() };
  const isCustom = infos.some(({ custom }) => custom !== undefined);
  const isStored = infos.some(({ verbs }) => verbs.includes('get'));
  const common = isStored ? ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status'] : ['ObjectMeta'];
  for (const name of common) collect(collector, `meta.${name}`);
  if (isStored) {
    collectKind(collector, 'meta.Status', { group: '', version: 'v1', kind: 'Status' });
    collectKind(collector, 'meta.DeleteOptions', { group: '', version: 'v1', kind: 'DeleteOptions' });
    collector.components.set(`${meta}.Patch`, { type: 'object' });
  }
  const paths = infos.map((info) => {
    const subject = subjectOf(collector, info);
    return pathsOf(`/${rootOf(info)}`, subject, (subresource) => partOf(collector, subject, subresource));
  });
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version },
    paths: Object.assign(ownParts(collector, infos), ...paths) as Fields,
    components: {
      schemas: Object.fromEntries([...collector.components].sort(([a], [b]) => (a < b ? -1 : 1))),
      ...(!isCustom && { securitySchemes: { BearerToken: bearer } }),
    },
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
