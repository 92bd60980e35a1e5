import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
import { ageOf, metaOf, nameOf, type Printer, simple, text } from '../printing/printer.ts';

const phaseOf = (object: Fields): string =>
  metaOf(object).deletionTimestamp === undefined ? text(fieldsOf(object.status).phase) : 'Terminating';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modesText = (modes: unknown): string =>
  Object.keys(shortModes)
    .filter((mode) => Array.isArray(modes) && modes.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',');

const betaClass = 'volume.beta.kubernetes.io/storage-class';

/** Returns the class of a volume or claim; the beta annotation takes precedence. */
const classOf = (object: Fields): string =>
  text(fieldsOf(metaOf(object).annotations)[betaClass] ?? fieldsOf(object.spec).storageClassName);

const persistentVolumes: Printer = {
  columns:
    'Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode+',
  cells(object, ago) {
    const spec = fieldsOf(object.spec);
    const claim = fieldsOf(spec.claimRef);
    return [
      nameOf(object),
      text(fieldsOf(spec.capacity).storage ?? '0'),
      modesText(spec.accessModes),
      text(spec.persistentVolumeReclaimPolicy),
      phaseOf(object),
      spec.claimRef === undefined ? '' : `${claim.namespace}/${claim.name}`,
      classOf(object),
      text(spec.volumeAttributesClassName ?? '<unset>'),
      text(fieldsOf(object.status).reason),
      ageOf(object, ago),
      text(spec.volumeMode ?? '<unset>'),
    ];
  },
};

const persistentVolumeClaims: Printer = {
  columns: 'Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode+',
  cells(object, ago) {
    const spec = fieldsOf(object.spec);
    const status = fieldsOf(object.status);
    const isBound = Boolean(spec.volumeName);
    return [
      nameOf(object),
      phaseOf(object),
      text(spec.volumeName),
      isBound ? text(fieldsOf(status.capacity).storage ?? '0') : '',
      isBound ? modesText(status.accessModes) : '',
      classOf(object),
      text(spec.volumeAttributesClassName ?? '<unset>'),
      ageOf(object, ago),
      text(spec.volumeMode ?? '<unset>'),
    ];
  },
};

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

const storageClasses: Printer = {
  columns: 'Name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age',
  cells(object, ago) {
    const notes = fieldsOf(metaOf(object).annotations);
    const isDefault = defaultClass.some((name) => notes[name] === 'true');
    return [
      isDefault ? `${nameOf(object)} (default)` : nameOf(object),
      text(object.provisioner),
      text(object.reclaimPolicy ?? 'Delete'),
      text(object.volumeBindingMode ?? 'Immediate'),
      object.allowVolumeExpansion === true,
      ageOf(object, ago),
    ];
  },
};

/** Printers of storage kinds, by plural. */
export const storagePrinters: Readonly<Record<string, Printer>> = {
  persistentvolumes: persistentVolumes,
  persistentvolumeclaims: persistentVolumeClaims,
  storageclasses: storageClasses,
  csidrivers: simple(
    'AttachRequired:boolean|PodInfoOnMount:boolean|StorageCapacity:boolean|TokenRequests|RequiresRepublish:boolean|Modes',
    ({ spec }) => {
      const { attachRequired, podInfoOnMount, storageCapacity, tokenRequests, requiresRepublish, ...driver } =
        fieldsOf(spec);
      const audiences = listOf(tokenRequests).map(({ audience }) => audience);
      const modes = Array.isArray(driver.volumeLifecycleModes) ? driver.volumeLifecycleModes : [];
      return [
        attachRequired !== false,
        podInfoOnMount === true,
        storageCapacity === true,
        tokenRequests === undefined ? '<unset>' : audiences.join(','),
        requiresRepublish === true,
        modes.join(',') || '<none>',
      ];
    },
  ),
  csinodes: simple('Drivers:integer', ({ spec }) => [listOf(fieldsOf(spec).drivers).length]),
  volumeattachments: simple('Attacher:string/name|PV|Node|Attached:boolean', ({ spec, status }) => {
    const { attacher, source, nodeName } = fieldsOf(spec);
    const volume = fieldsOf(source).persistentVolumeName;
    return [text(attacher), text(volume), text(nodeName), fieldsOf(status).attached === true];
  }),
  volumeattributesclasses: simple('DriverName', ({ driverName }) => [text(driverName)]),
};
