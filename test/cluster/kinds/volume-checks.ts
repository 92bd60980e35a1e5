import { type FieldError, notSupported } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import { type Check, fieldsOf, forbidden, invalid, required } from './checks.ts';
import { isSubdomain } from './names.ts';
import { parseQuantity } from './quantity.ts';
import { filled, given, labelSelector, named, oneOf, type Rule } from './rules.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function* accessModeErrors(spec: Fields, path: string): Generator<FieldError> {
  const modes = Array.isArray(spec.accessModes) ? spec.accessModes : [];
  if (modes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  for (const mode of modes)
    if (!accessModes.includes(String(mode))) yield notSupported(`${path}.accessModes`, mode, accessModes);
}

/** The spec of a claim, be it one or a template of some. */
export const claimErrors: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  yield* given(labelSelector)(spec.selector, `${path}.selector`);
  yield* accessModeErrors(spec, path);
  const { storage } = fieldsOf(fieldsOf(spec.resources).requests);
  if (storage === undefined) yield required(`${path}.resources[storage]`);
  else if ((parseQuantity(String(storage))?.nano ?? 1n) <= 0n) {
    yield invalid(`${path}.resources[storage]`, storage, 'must be greater than zero');
  }
  yield* filled(named(isSubdomain))(spec.storageClassName, `${path}.storageClassName`);
  yield* given(oneOf('Block', 'Filesystem'))(spec.volumeMode, `${path}.volumeMode`);
};

const claimMutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

const persistentVolumeClaim: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  yield* claimErrors(spec, 'spec');
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  const fixed = ({ resources: _resources, volumeName: _name, volumeAttributesClassName: _class, ...rest }: Fields) =>
    rest;
  // A claim that named no class may get one later: the default.
  const { storageClassName = spec.storageClassName } = before;
  if (!equal(fixed(spec), fixed({ ...before, storageClassName }))) yield forbidden('spec', claimMutable);
};

const persistentVolume: Check = function* ({ spec: value }) {
  const spec = fieldsOf(value);
  yield* accessModeErrors(spec, 'spec');
  if (Object.keys(fieldsOf(spec.capacity)).length === 0) yield required('spec.capacity');
};

/** Rules of volumes and what claims them, by type. */
export const volumeChecks: Readonly<Record<string, Check>> = {
  'core.PersistentVolumeClaim': persistentVolumeClaim,
  'core.PersistentVolume': persistentVolume,
};
