/** Builds the OpenAPI components of kinds and lists. */

import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { type Collector, collect, refTo, withDescription } from './component.ts';
import { commonTexts, conventions, unexplained } from './component-descriptions.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const kindsWord = 'x-kubernetes-group-version-kind';

type Kind = Pick<ResourceInfo, 'group' | 'version' | 'kind'>;

/** Group versions in upstream's scheme; common kinds are registered in each. */
const allVersions = `/v1 admission.k8s.io/v1,v1beta1 admissionregistration.k8s.io/v1,v1alpha1,v1beta1
  apiextensions.k8s.io/v1,v1beta1 apiregistration.k8s.io/v1,v1beta1 apps/v1,v1beta1,v1beta2
  authentication.k8s.io/v1,v1alpha1,v1beta1 authorization.k8s.io/v1,v1beta1 autoscaling/v1,v2,v2beta1,v2beta2
  batch/v1,v1beta1 certificates.k8s.io/v1,v1alpha1,v1beta1 coordination.k8s.io/v1,v1alpha2,v1beta1
  discovery.k8s.io/v1,v1beta1 events.k8s.io/v1,v1beta1 extensions/v1beta1
  flowcontrol.apiserver.k8s.io/v1,v1beta1,v1beta2,v1beta3 imagepolicy.k8s.io/v1alpha1
  internal.apiserver.k8s.io/v1alpha1 networking.k8s.io/v1,v1beta1 node.k8s.io/v1,v1alpha1,v1beta1 policy/v1,v1beta1
  rbac.authorization.k8s.io/v1,v1alpha1,v1beta1 resource.k8s.io/v1,v1alpha3,v1beta1,v1beta2
  scheduling.k8s.io/v1,v1alpha1,v1beta1 storage.k8s.io/v1,v1alpha1,v1beta1 storagemigration.k8s.io/v1alpha1`;

/** Groups that the scheme of apiextensions-apiserver lacks. */
const notOfDefinitions: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

function kindsOfAll(kind: string, isCustom: boolean): readonly Kind[] {
  const groups = allVersions.split(/\s+/).map((one) => one.split('/'));
  return groups
    .filter(([group = '']) => !(isCustom && notOfDefinitions.has(group)))
    .flatMap(([group = '', versions = '']) => versions.split(',').map((version) => ({ group, kind, version })));
}

function addKinds(collector: Collector, name: string, kinds: readonly Kind[]): string {
  collector.components.set(name, { ...collector.components.get(name), [kindsWord]: kinds });
  return name;
}

/** Adds a built-in kind as a component with its group, version and kind; returns its name. */
export const collectKind = (collector: Collector, type: string, { group, version, kind }: Kind): string =>
  addKinds(collector, collect(collector, type), [{ group, kind, version }]);

/** Adds a type as a component that is a kind of all groups; returns its name. */
export const collectCommonKind = (collector: Collector, type: string, isCustom: boolean): string =>
  addKinds(collector, collect(collector, type), kindsOfAll(type.split('.')[1]!, isCustom));

/** Returns the descriptions of a list: upstream's for built-in kinds, a common one for definitions. */
function listTexts(
  { texts }: Collector,
  info: ResourceInfo,
  name: string,
): { readonly list?: string; readonly items?: string } {
  if (info.custom !== undefined) {
    return {
      list: `${info.listKind} is a list of ${info.kind}`,
      items: `List of ${info.plural}. More info: ${conventions}`,
    };
  }
  const { type, field } = texts.model(name);
  const items = field('items');
  return { ...(type !== undefined && { list: type }), ...(items !== undefined && { items }) };
}

/** Returns the component of a kind's list. */
export function listComponent(collector: Collector, info: ResourceInfo, item: string): Fields {
  const { group, version, listKind } = info;
  const isCustom = info.custom !== undefined;
  const said = listTexts(collector, info, `${item}List`);
  const common = (name: keyof typeof commonTexts): Fields =>
    isCustom || collector.texts.isAtHand ? { description: commonTexts[name] } : {};
  const isSilent = unexplained.has(listKind);
  return {
    ...withDescription(said.list),
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { ...common('apiVersion'), type: 'string' },
      items: {
        ...withDescription(said.items),
        type: 'array',
        items: isCustom ? refTo(item) : { default: {}, allOf: [refTo(item)] },
      },
      kind: { ...common('kind'), type: 'string' },
      metadata: {
        ...(!isSilent && common('listMetadata')),
        ...(!isCustom && { default: {} }),
        allOf: [refTo(`${meta}.ListMeta`)],
      },
    },
    [kindsWord]: [{ group, kind: listKind, version }],
  };
}
