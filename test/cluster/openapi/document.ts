/** Builds OpenAPI v3 documents and their index. */

import type { Fields } from '../apimachinery/object.ts';
import { type ResourceInfo, rootOf, type SubresourceInfo } from '../apimachinery/resource-info.ts';
import { typeNameOf } from '../apis/builtin-resources.ts';
import type { TypeTable } from '../resources/type-table.ts';
import { type Collector, collect, refToOther } from './component.ts';
import { customComponent, customName } from './custom-component.ts';
import { collectCommonKind, collectKind, listComponent } from './kind-components.ts';
import type { Subject } from './operation-table.ts';
import { pathsOf, resourcesPath } from './operations.ts';
import { sortedByName } from './parameters.ts';
import type { UpstreamTexts } from './upstream-descriptions.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function subjectOf(collector: Collector, info: ResourceInfo): Subject {
  const isCustom = info.custom !== undefined;
  const object = isCustom ? customName(info) : collectKind(collector, info.type!, info);
  if (isCustom) collector.components.set(object, customComponent(info));
  const list = `${object}List`;
  if (info.verbs.includes('list')) collector.components.set(list, listComponent(collector, info, object));
  return { info, object, list, texts: collector.texts };
}

/** Returns the subject of a subresource, which may have its own kind. */
function partOf(collector: Collector, subject: Subject, subresource: SubresourceInfo): Subject {
  const { info } = subject;
  const { group = info.group, version = info.version, kind } = subresource;
  if (kind === info.kind || kind.endsWith('Options')) return { ...subject, subresource };
  const type = typeNameOf(group === '' ? version : `${group}/${version}`, kind);
  return { ...subject, subresource, object: collectKind(collector, type, { group, version, kind }) };
}

/** Returns the parts that only built-in documents have: security and common components. */
function ownParts(collector: Collector, infos: readonly ResourceInfo[]): Fields {
  const [first] = infos;
  if (first === undefined || first.custom !== undefined) return {};
  collectKind(collector, 'pages.APIResourceList', { group: '', version: 'v1', kind: 'APIResourceList' });
  if (infos.some(({ verbs }) => verbs.includes('watch'))) collectCommonKind(collector, 'pages.WatchEvent', false);
  return { [`/${rootOf(first)}/`]: resourcesPath(first) };
}

/** Security scheme of bearer tokens. */
export const bearer = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};

/** The only kind that is embedded in another. */
const claimKind = { group: '', version: 'v1', kind: 'PersistentVolumeClaim' };
const claim = 'io.k8s.api.core.v1.PersistentVolumeClaim';

/** Returns the info object of all documents; its version has no patch number. */
export const infoOf = (version: string): Fields => ({
  title: 'Kubernetes',
  version: version.replace(/^v(\d+\.\d+).*/, '$1'),
});

/** Sources of documents. */
export interface Sources {
  readonly types: TypeTable;
  readonly texts: UpstreamTexts;
  /** Server version, such as `v1.34.1`. */
  readonly version: string;
}

/** Builds the OpenAPI v3 document of a group version; `infos` are its served resources. */
export function openApiDocument(infos: readonly ResourceInfo[], { types, texts, version }: Sources): Fields {
  const collector: Collector = { types, texts, components: new Map() };
  const isCustom = infos.some(({ custom }) => custom !== undefined);
  const isStored = infos.some(({ verbs }) => verbs.includes('get'));
  const common = isStored ? ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status'] : ['ObjectMeta'];
  for (const name of common) collect(collector, `meta.${name}`);
  if (isStored) {
    collectKind(collector, 'meta.Status', { group: '', version: 'v1', kind: 'Status' });
    collectCommonKind(collector, 'meta.DeleteOptions', isCustom);
    refToOther(collector, `${meta}.Patch`, { type: 'object' });
  }
  const paths = infos.map((info) => {
    const subject = subjectOf(collector, info);
    return pathsOf(`/${rootOf(info)}`, subject, (subresource) => partOf(collector, subject, subresource));
  });
  if (collector.components.has(claim)) collectKind(collector, 'core.PersistentVolumeClaim', claimKind);
  return {
    openapi: '3.0.0',
    info: isCustom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : infoOf(version),
    paths: sortedByName(Object.assign(ownParts(collector, infos), ...paths) as Fields),
    components: {
      schemas: sortedByName(Object.fromEntries(collector.components)),
      ...(!isCustom && { securitySchemes: { BearerToken: bearer } }),
    },
  };
}

/** Builds the index of OpenAPI v3 documents; `hashOf` must change with a document, as clients cache documents by it. */
export function openApiIndex(roots: readonly string[], hashOf: (root: string) => string): Fields {
  const paths = [...new Set(roots)].sort().map((root) => {
    const hash = hashOf(root);
    return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
  });
  return { paths: Object.fromEntries(paths) };
}
