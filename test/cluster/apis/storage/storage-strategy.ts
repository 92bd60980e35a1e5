/** Behaviour of volumes, claims and CSI drivers. */

import { parseQuantity } from '../../apimachinery/formats/quantity.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import { forbidden } from '../../apimachinery/status.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Strategy } from '../../server/strategy.ts';

/** Returns the strategy of a kind with a protection finalizer. */
export const protectedBy = (finalizer: string): Strategy => ({
  prepareForCreate(_server, { metadata }) {
    const { finalizers = [] } = metadata;
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  },
});

const since = ({ status }: Draft | ApiObject): Fields => (isFields(status) ? status : {});

/** PersistentVolumes: they start pending, and record the time of phase changes. */
export const volumeStrategy: Strategy = {
  prepareForCreate(server, draft) {
    protectedBy('kubernetes.io/pv-protection').prepareForCreate?.(server, draft);
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: timestampOf(server.clock.now()) };
  },
  prepareForUpdate(draft, current, subresource) {
    const [now, before] = [since(draft), since(current)];
    if (subresource !== 'status' || now.phase !== before.phase || now.lastPhaseTransitionTime !== undefined) return;
    const { lastPhaseTransitionTime: time } = before;
    if (time !== undefined) draft.status = { ...now, lastPhaseTransitionTime: time };
  },
  allocate({ clock }, draft, current) {
    if (current === undefined) return;
    const [now, before] = [since(draft), since(current)];
    const { lastPhaseTransitionTime: time } = now;
    if (now.phase === before.phase || (time !== undefined && time !== before.lastPhaseTransitionTime)) return;
    draft.status = { ...now, lastPhaseTransitionTime: timestampOf(clock.now()) };
  },
};

const specOf = (object: Draft | ApiObject | undefined): Fields => (isFields(object?.spec) ? object.spec : {});

const copied: ReadonlySet<string> = new Set([' PersistentVolumeClaim', 'snapshot.storage.k8s.io VolumeSnapshot']);

const isCopied = (source: unknown): boolean =>
  isFields(source) && copied.has(`${source.apiGroup ?? ''} ${source.kind}`);

/** Returns the `dataSource` of a claim that stays: in use, beside a reference, or of a kind that can be copied. */
function sourceOf({ dataSource: given }: Fields, before: Fields, reference: unknown): unknown {
  const isUsed = before.dataSource !== undefined || before.dataSourceRef !== undefined;
  return isUsed || reference !== undefined || isCopied(given) ? given : undefined;
}

/** Returns the `dataSourceRef` that stands for a `dataSource`. */
function referenceTo(source: unknown): Fields | undefined {
  if (!isFields(source)) return undefined;
  const { apiGroup = null, kind, name } = source;
  return { apiGroup, kind, name };
}

/** Returns the `dataSource` that stands for a `dataSourceRef`; undefined for one with a namespace. */
function sourceFrom(reference: unknown): Fields | undefined {
  if (!isFields(reference) || reference.namespace) return undefined;
  const { namespace: _namespace, ...source } = reference;
  return source;
}

/**
 * Synchronizes `dataSource` and `dataSourceRef`. Only the latter may name kinds other than claims and snapshots;
 * neither may name another namespace.
 */
function withSources({ dataSource: given, dataSourceRef: asked, ...spec }: Fields, before: Fields): Fields {
  const isForeign = isFields(asked) && Boolean(asked.namespace) && before.dataSourceRef === undefined;
  const reference = isForeign ? undefined : asked;
  const source = sourceOf({ dataSource: given }, before, reference);
  const dataSource = source === undefined ? sourceFrom(reference) : source;
  const dataSourceRef = reference === undefined ? referenceTo(source) : reference;
  return {
    ...spec,
    ...(dataSource !== undefined && { dataSource }),
    ...(dataSourceRef !== undefined && { dataSourceRef }),
  };
}

const claims = { group: '', plural: 'persistentvolumeclaims' };
const classes = 'storage.k8s.io/storageclasses';
const betaClass = 'volume.beta.kubernetes.io/storage-class';
const isDefault = ({ metadata: { annotations = {} } }: ApiObject): boolean =>
  ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
    (domain) => annotations[`${domain}/is-default-class`] === 'true',
  );

/** Returns the default storage class, the youngest one. */
function defaultClass({ store }: ServerContext): string | undefined {
  if (store.count(classes) === 0) return undefined;
  const found = store.page(classes, { prefix: '', matches: isDefault }).objects;
  const [first] = found.toSorted(
    ({ metadata: a }, { metadata: b }) =>
      (b.creationTimestamp ?? '').localeCompare(a.creationTimestamp ?? '') || (a.name < b.name ? -1 : 1),
  );
  return first?.metadata.name;
}

function withClass(server: ServerContext, draft: Draft): Fields {
  const spec = specOf(draft);
  const isNamed = spec.storageClassName !== undefined || draft.metadata.annotations?.[betaClass] !== undefined;
  const name = isNamed ? undefined : defaultClass(server);
  return name === undefined ? spec : { ...spec, storageClassName: name };
}

const sizeOf = (claim: Draft | ApiObject): bigint => {
  const { requests } = (specOf(claim).resources ?? {}) as { requests?: Fields };
  return parseQuantity(String(requests?.storage ?? '0'))?.nano ?? 0n;
};

const classOf = (claim: Draft | ApiObject): unknown =>
  claim.metadata.annotations?.[betaClass] ?? specOf(claim).storageClassName;

const notExpandable =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** Checks that a claim may be expanded: it is bound and its class allows expansion. Throws the server's 403. */
function admitGrowth({ store }: ServerContext, draft: Draft, current: ApiObject): void {
  if (sizeOf(draft) <= sizeOf(current)) return;
  const { name } = current.metadata;
  if (since(current).phase !== 'Bound') {
    throw forbidden(claims, name, { why: 'Only bound persistent volume claims can be expanded' });
  }
  const [asked, known] = [classOf(draft), classOf(current)];
  const found = asked && asked === known ? store.get(classes, String(asked)) : undefined;
  if (found?.allowVolumeExpansion !== true) throw forbidden(claims, name, { why: notExpandable });
}

/** PersistentVolumeClaims: protection, default class and data source. */
export const claimStrategy: Strategy = {
  storedWithoutDefaults: true,
  prepareForCreate(server, draft) {
    protectedBy('kubernetes.io/pvc-protection').prepareForCreate?.(server, draft);
    draft.spec = withSources(withClass(server, draft), {});
  },
  prepareForUpdate(draft, current, subresource) {
    if (subresource === undefined) draft.spec = withSources(specOf(draft), specOf(current));
  },
  allocate(server, draft, current) {
    if (current !== undefined) admitGrowth(server, draft, current);
  },
};

/** CSIDrivers: they are created without a generation; the field of a disabled feature is dropped. */
export const driverStrategy: Strategy = {
  prepareForCreate(_server, draft) {
    delete draft.metadata.generation;
    const { nodeAllocatableUpdatePeriodSeconds: _seconds, ...spec } = specOf(draft);
    draft.spec = spec;
  },
  prepareForUpdate(draft) {
    const { nodeAllocatableUpdatePeriodSeconds: _seconds, ...spec } = specOf(draft);
    draft.spec = spec;
  },
};
