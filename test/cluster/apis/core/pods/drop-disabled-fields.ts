/** Drops fields of disabled features from the specs of pods. */

import { type Fields, isFields } from '../../../apimachinery/object.ts';
import { withoutEmptyMember } from '../../../apimachinery/validation/empty-members.ts';
import { listOf } from '../../../resources/defaulting.ts';

/** Returns the object without a member; the same object when it has none. */
function without(value: Fields, name: string): Fields {
  if (value[name] === undefined) return value;
  const { [name]: _dropped, ...rest } = value;
  return rest;
}

/** Maps a list; returns the same list when no item changes. */
function each(list: readonly Fields[], change: (item: Fields) => Fields): readonly Fields[] {
  const made = list.map(change);
  return made.every((item, index) => item === list[index]) ? list : made;
}

/** Maps a member of an object; returns the same object when it does not change. */
function changedIn(value: Fields, name: string, change: (member: Fields) => Fields | undefined): Fields {
  const member = value[name];
  if (!isFields(member)) return value;
  const made = change(member);
  if (made === member) return value;
  return made === undefined ? without(value, name) : { ...value, [name]: made };
}

/** Maps a list in an object; returns the same object when it does not change. */
function changedEach(value: Fields, name: string, change: (item: Fields) => Fields): Fields {
  if (value[name] === undefined) return value;
  const list = listOf(value[name]);
  const made = each(list, change);
  return made === list ? value : { ...value, [name]: made };
}

/** Drops the stop signal; a lifecycle that is then empty is dropped too. */
function withoutStopSignal(lifecycle: Fields): Fields | undefined {
  if (lifecycle.stopSignal === undefined) return lifecycle;
  const rest = without(lifecycle, 'stopSignal');
  return Object.keys(rest).length === 0 ? undefined : rest;
}

const withoutFile = (variable: Fields): Fields =>
  changedIn(variable, 'valueFrom', (source) => without(source, 'fileKeyRef'));

const withoutLifeAndFiles = (container: Fields): Fields =>
  changedEach(changedIn(container, 'lifecycle', withoutStopSignal), 'env', withoutFile);

/** Reports whether a container may set its restart policy, by list of containers. */
const mayRestart: Readonly<Record<string, (policy: unknown) => boolean>> = {
  containers: () => false,
  initContainers: (policy) => policy === 'Always',
  ephemeralContainers: () => false,
};

function ofContainer(container: Fields, isAllowed: (policy: unknown) => boolean): Fields {
  const plain = without(withoutLifeAndFiles(withoutEmptyMember(container, 'volumeMounts')), 'restartPolicyRules');
  return isAllowed(plain.restartPolicy) ? plain : without(plain, 'restartPolicy');
}

const withoutSources = (volume: Fields): Fields =>
  changedIn(volume, 'projected', (projected) =>
    changedEach(projected, 'sources', (one) => without(without(one, 'clusterTrustBundle'), 'podCertificate')),
  );

/** Drops image volumes and their mounts. */
function withoutImages(spec: Fields): Fields {
  const images = new Set(listOf(spec.volumes).flatMap(({ image, name }) => (image === undefined ? [] : [name])));
  if (images.size === 0) return spec;
  const others = (list: unknown): readonly Fields[] => listOf(list).filter(({ name }) => !images.has(name));
  const unmounted = (container: Fields): Fields => {
    if (container.volumeMounts === undefined) return container;
    const mounts = others(container.volumeMounts);
    return mounts.length === 0 ? without(container, 'volumeMounts') : { ...container, volumeMounts: mounts };
  };
  const volumes = others(spec.volumes);
  const rest = volumes.length === 0 ? without(spec, 'volumes') : { ...spec, volumes };
  return Object.keys(mayRestart).reduce((made, list) => changedEach(made, list, unmounted), rest);
}

/** Returns the spec of a pod without the fields of features that are disabled by default; usually the same spec. */
export function withoutDisabled(spec: Fields): Fields {
  const named = without(without(withoutEmptyMember(spec, 'volumes'), 'hostnameOverride'), 'workloadRef');
  const contained = Object.entries(mayRestart).reduce(
    (made, [list, isAllowed]) => changedEach(made, list, (one) => ofContainer(one, isAllowed)),
    named,
  );
  return contained.volumes === undefined ? contained : withoutImages(changedEach(contained, 'volumes', withoutSources));
}
