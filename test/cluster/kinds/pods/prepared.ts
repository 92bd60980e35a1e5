import { type Fields, isFields } from '../../objects/object.ts';
import { fieldsOf, listOf } from '../default-rule.ts';
import { appArmorPrefix } from './annotations.ts';

/** Expressions that pods with the same labels meet, or others: of those labels that the pod has. */
const expressions = (keys: unknown, operator: string, labels: Fields): readonly Fields[] =>
  (Array.isArray(keys) ? keys : []).flatMap((key) =>
    labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }],
  );

/** A selector with what the pod's own labels say. */
function withOwnLabels(one: Fields, labels: Fields): Fields {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = one;
  if (!isFields(labelSelector)) return one;
  const own = [...expressions(matchLabelKeys, 'In', labels), ...expressions(mismatchLabelKeys, 'NotIn', labels)];
  if (own.length === 0) return one;
  const all = [...listOf(labelSelector.matchExpressions), ...own];
  return { ...one, labelSelector: { ...labelSelector, matchExpressions: all } };
}

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function nearOthers(value: unknown, labels: Fields): unknown {
  if (!isFields(value)) return value;
  const { [needed]: terms, [preferred]: weighted } = value;
  return {
    ...value,
    ...(terms !== undefined && { [needed]: listOf(terms).map((one) => withOwnLabels(one, labels)) }),
    ...(weighted !== undefined && {
      [preferred]: listOf(weighted).map((one) => ({
        ...one,
        podAffinityTerm: withOwnLabels(fieldsOf(one.podAffinityTerm), labels),
      })),
    }),
  };
}

function placed(spec: Fields, labels: Fields): Fields {
  const { affinity, topologySpreadConstraints: spread } = spec;
  if (affinity === undefined && spread === undefined) return spec;
  const { podAffinity, podAntiAffinity, ...rest } = fieldsOf(affinity);
  return {
    ...spec,
    ...(affinity !== undefined && {
      affinity: {
        ...rest,
        ...(podAffinity !== undefined && { podAffinity: nearOthers(podAffinity, labels) }),
        ...(podAntiAffinity !== undefined && { podAntiAffinity: nearOthers(podAntiAffinity, labels) }),
      },
    }),
    ...(spread !== undefined && {
      topologySpreadConstraints: listOf(spread).map((one) => withOwnLabels(one, labels)),
    }),
  };
}

const local = 'localhost/';

/** A profile of AppArmor as an annotation has it; undefined for what is none. */
function profileOf(text: unknown): Fields | undefined {
  const name = String(text);
  if (name === 'unconfined') return { type: 'Unconfined' };
  if (name === 'runtime/default') return { type: 'RuntimeDefault' };
  const profile = name.startsWith(local) ? name.slice(local.length) : '';
  return profile === '' || profile !== profile.trim() ? undefined : { type: 'Localhost', localhostProfile: profile };
}

/** Containers with the profiles that annotations give them. */
function profiled(spec: Fields, annotations: Fields): Fields {
  const { securityContext, os } = spec;
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix)) || fieldsOf(os).name === 'windows') {
    return spec;
  }
  const ofPod = fieldsOf(fieldsOf(securityContext).appArmorProfile);
  const withProfile = (container: Fields): Fields => {
    const profile = profileOf(annotations[`${appArmorPrefix}${container.name}`]);
    const own = fieldsOf(container.securityContext);
    const isSame = profile?.type === ofPod.type && profile?.localhostProfile === ofPod.localhostProfile;
    if (profile === undefined || own.appArmorProfile !== undefined || isSame) return container;
    return { ...container, securityContext: { ...own, appArmorProfile: profile } };
  };
  const lists = ['initContainers', 'containers'].filter((list) => spec[list] !== undefined);
  return { ...spec, ...Object.fromEntries(lists.map((list) => [list, listOf(spec[list]).map(withProfile)])) };
}

/** The spec of a new pod with what its labels and annotations make of it. */
export function prepared(
  spec: Fields,
  metadata: { readonly labels?: unknown; readonly annotations?: unknown },
): Fields {
  const { labels, annotations } = metadata;
  const own = placed(spec, fieldsOf(labels));
  return annotations === undefined ? own : profiled(own, fieldsOf(annotations));
}
