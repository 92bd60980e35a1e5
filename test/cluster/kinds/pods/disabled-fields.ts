import { type Fields, isFields } from '../../objects/object.ts';
import { listOf } from '../default-rule.ts';
import { forgetEmpty } from '../emptied.ts';

/** An object without a member; the same one when it has none. */
function without(value: Fields, name: string): Fields {
  if (value[name] === undefined) return value;
  const { [name]: _dropped, ...rest } = value;
  return rest;
}

/** The same list where none of its items is changed. */
function each(list: readonly Fields[], change: (item: Fields) => Fields): readonly Fields[] {
  const made = list.map(change);
  return made.every((item, index) => item === list[index]) ? list : made;
}

/** An object whose member is changed; the same one when it is not. */
function changedIn(value: Fields, name: string, change: (member: Fields) => Fields | undefined): Fields {
  const member = value[name];
  if (!isFields(member)) return value;
  const made = change(member);
  if (made === member) return value;
  return made === undefined ? without(value, name) : { ...value, [name]: made };
}

/** An object whose list is changed; the same one when it is not. */
function changedEach(value: Fields, name: string, change: (item: Fields) => Fields): Fields {
  if (value[name] === undefined) return value;
  const list = listOf(value[name]);
  const made = each(list, change);
  return made === list ? value : { ...value, [name]: made };
}

/** Signals to stop with; what is nothing without one goes with it. */
function withoutStopSignal(lifecycle: Fields): Fields | undefined {
  if (lifecycle.stopSignal === undefined) return lifecycle;
  const rest = without(lifecycle, 'stopSignal');
  return Object.keys(rest).length === 0 ? undefined : rest;
}

const withoutFile = (variable: Fields): Fields =>
  changedIn(variable, 'valueFrom', (source) => without(source, 'fileKeyRef'));

const withoutLifeAndFiles = (container: Fields): Fields =>
  changedEach(changedIn(container, 'lifecycle', withoutStopSignal), 'env', withoutFile);

/** By list of containers: whether a container may say when it is restarted. */
const mayRestart: Readonly<Record<string, (policy: unknown) => boolean>> = {
  containers: () => false,
  initContainers: (policy) => policy === 'Always',
  ephemeralContainers: () => false,
};

function ofContainer(container: Fields, isAllowed: (policy: unknown) => boolean): Fields {
  const plain = without(withoutLifeAndFiles(forgetEmpty(container, 'volumeMounts')), 'restartPolicyRules');
  return isAllowed(plain.restartPolicy) ? plain : without(plain, 'restartPolicy');
}

const withoutSources = (volume: Fields): Fields =>
  changedIn(volume, 'projected', (projected) =>
    changedEach(projected, 'sources', (one) => without(without(one, 'clusterTrustBundle'), 'podCertificate')),
  );

/** Volumes of images, and what mounts them. */
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

/** The spec of a pod without what belongs to features that a server has, but only when it is told to; the same one mostly. */
export function withoutDisabled(spec: Fields): Fields {
  const named = without(forgetEmpty(spec, 'volumes'), 'hostnameOverride');
  const contained = Object.entries(mayRestart).reduce(
    (made, [list, isAllowed]) => changedEach(made, list, (one) => ofContainer(one, isAllowed)),
    named,
  );
  return contained.volumes === undefined ? contained : withoutImages(changedEach(contained, 'volumes', withoutSources));
}
