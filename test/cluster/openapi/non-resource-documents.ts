/** OpenAPI documents of pages that are not resources. */

import type { Fields } from '../apimachinery/object.ts';
import { type Collector, refTo, refToOther, withDescription } from './component.ts';
import { bearer, infoOf, type Sources } from './document.ts';
import { collectKind } from './kind-components.ts';
import { groupTag } from './operation-names.ts';
import { sortedByName } from './parameters.ts';

/** Page that is not a resource. */
interface Page {
  readonly tag: string;
  readonly says: string;
  readonly id: string;
  readonly types: readonly string[];
  readonly answers: (collector: Collector) => Fields;
}

const written = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
const text = (): Fields => ({ type: 'string' });
const kind =
  (name: string) =>
  (collector: Collector): Fields => {
    const reference = refTo(collectKind(collector, `pages.${name}`, { group: '', version: 'v1', kind: name }));
    // The list of groups refers to this component.
    if (name === 'APIGroupList')
      collectKind(collector, 'pages.APIGroup', { group: '', version: 'v1', kind: 'APIGroup' });
    return reference;
  };

const always = 'major minor gitVersion gitCommit gitTreeState buildDate goVersion compiler platform'.split(' ');
const sometimes = 'emulationMajor emulationMinor minCompatibilityMajor minCompatibilityMinor'.split(' ');

function versionInfo(collector: Collector): Fields {
  const name = 'io.k8s.apimachinery.pkg.version.Info';
  const { field, type } = collector.texts.model(name);
  const property = (one: string): Fields => ({
    ...withDescription(field(one)),
    type: 'string',
    ...(always.includes(one) && { default: '' }),
  });
  const properties = Object.fromEntries([...always, ...sometimes].sort().map((one) => [one, property(one)]));
  return refToOther(collector, name, { ...withDescription(type), type: 'object', required: always, properties });
}

const pages: Readonly<Record<string, Page>> = {
  '.well-known/openid-configuration': {
    tag: 'WellKnown',
    says: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
    id: 'getServiceAccountIssuerOpenIDConfiguration',
    types: ['application/json'],
    answers: text,
  },
  api: {
    tag: 'core',
    says: 'get available API versions',
    id: 'getCoreAPIVersions',
    types: written,
    answers: kind('APIVersions'),
  },
  apis: {
    tag: 'apis',
    says: 'get available API versions',
    id: 'getAPIVersions',
    types: written,
    answers: kind('APIGroupList'),
  },
  'openid/v1/jwks': {
    tag: 'openid',
    says: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
    id: 'getServiceAccountIssuerOpenIDKeyset',
    types: ['application/jwk-set+json'],
    answers: text,
  },
  version: {
    tag: 'version',
    says: 'get the version information for this server',
    id: 'getCodeVersion',
    types: ['application/json'],
    answers: versionInfo,
  },
};

function groupPage(group: string): Page {
  const { tag, name } = groupTag(group);
  const says = 'get information of a group';
  return { tag, says, id: `get${name}APIGroup`, types: written, answers: kind('APIGroup') };
}

/** Returns the roots of pages with documents of their own, including those of built-in groups. */
export const pageRoots = (groups: Iterable<string>): readonly string[] => [
  ...Object.keys(pages),
  ...[...new Set(groups)].filter((group) => group !== '').map((group) => `apis/${group}`),
];

/** Builds the document of a page: `version`, `apis/apps`. */
export function pageDocument(root: string, { types, texts, version }: Sources): Fields {
  const page = pages[root] ?? groupPage(root.slice('apis/'.length));
  const collector: Collector = { types, texts, components: new Map() };
  const schema = page.answers(collector);
  const get = {
    tags: [page.tag],
    description: page.says,
    operationId: page.id,
    responses: {
      200: { description: 'OK', content: Object.fromEntries(page.types.map((type) => [type, { schema }])) },
      401: { description: 'Unauthorized' },
    },
  };
  const schemas = sortedByName(Object.fromEntries(collector.components));
  return {
    openapi: '3.0.0',
    info: infoOf(version),
    paths: { [`/${root}/`]: { get } },
    components: { ...(collector.components.size > 0 && { schemas }), securitySchemes: { BearerToken: bearer } },
  };
}
