/** Prepares the spec of a new pod, as upstream's PrepareForCreate does. */

import { type Fields, isFields } from '../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../resources/defaulting.ts';
import { appArmorPrefix } from './annotations.ts';

/** Returns the requirements on those label keys that the pod itself has. */
const expressions = (keys: unknown, operator: string, labels: Fields): readonly Fields[] =>
  (Array.isArray(keys) ? keys : []).flatMap((key) =>
    labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }],
  );

/** Returns the term with the pod's own labels merged into its selector. */
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

/** Parses an AppArmor profile in the form of an annotation; undefined when it is invalid. */
function profileOf(text: unknown): Fields | undefined {
  const name = String(text);
  if (name === 'unconfined') return { type: 'Unconfined' };
  if (name === 'runtime/default') return { type: 'RuntimeDefault' };
  const profile = name.startsWith(local) ? name.slice(local.length) : '';
  return profile === '' || profile !== profile.trim() ? undefined : { type: 'Localhost', localhostProfile: profile };
}

/** Sets the AppArmor profiles of containers from annotations. */
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

/** Prepares the spec of a new pod from its labels and annotations. */
export function prepared(
  spec: Fields,
  metadata: { readonly labels?: unknown; readonly annotations?: unknown },
): Fields {
  const { labels, annotations } = metadata;
  const own = placed(spec, fieldsOf(labels));
  return annotations === undefined ? own : profiled(own, fieldsOf(annotations));
}
