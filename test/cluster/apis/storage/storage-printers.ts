/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
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

/** Descriptions of the columns, by `plural Column`. */
export const storageColumnTexts: Readonly<Record<string, string>> = {
  'csidrivers AttachRequired':
    'attachRequired indicates this CSI volume driver requires an attach operation (because it implements the CSI ControllerPublishVolume() method), and that the Kubernetes attach detach controller should call the attach volume interface which checks the volumeattachment status and waits until the volume is attached before proceeding to mounting. The CSI external-attacher coordinates with CSI volume driver and updates the volumeattachment status when the attach operation is complete. If the value is specified to false, the attach operation will be skipped. Otherwise the attach operation will be called.\n\nThis field is immutable.',
  'csidrivers Modes':
    'volumeLifecycleModes defines what kind of volumes this CSI volume driver supports. The default if the list is empty is "Persistent", which is the usage defined by the CSI specification and implemented in Kubernetes via the usual PV/PVC mechanism.\n\nThe other mode is "Ephemeral". In this mode, volumes are defined inline inside the pod spec with CSIVolumeSource and their lifecycle is tied to the lifecycle of that pod. A driver has to be aware of this because it is only going to get a NodePublishVolume call for such a volume.\n\nFor more information about implementing this mode, see https://kubernetes-csi.github.io/docs/ephemeral-local-volumes.html A driver can support one or more of these modes and more modes may be added in the future.\n\nThis field is beta. This field is immutable.',
  'csidrivers PodInfoOnMount':
    'podInfoOnMount indicates this CSI volume driver requires additional pod information (like podName, podUID, etc.) during mount operations, if set to true. If set to false, pod information will not be passed on mount. Default is false.\n\nThe CSI driver specifies podInfoOnMount as part of driver deployment. If true, Kubelet will pass pod information as VolumeContext in the CSI NodePublishVolume() calls. The CSI driver is responsible for parsing and validating the information passed in as VolumeContext.\n\nThe following VolumeContext will be passed if podInfoOnMount is set to true. This list might grow, but the prefix will be used. "csi.storage.k8s.io/pod.name": pod.Name "csi.storage.k8s.io/pod.namespace": pod.Namespace "csi.storage.k8s.io/pod.uid": string(pod.UID) "csi.storage.k8s.io/ephemeral": "true" if the volume is an ephemeral inline volume\n                                defined by a CSIVolumeSource, otherwise "false"\n\n"csi.storage.k8s.io/ephemeral" is a new feature in Kubernetes 1.16. It is only required for drivers which support both the "Persistent" and "Ephemeral" VolumeLifecycleMode. Other drivers can leave pod info disabled and/or ignore this field. As Kubernetes 1.15 doesn\'t support this field, drivers can only support one mode when deployed on such a cluster and the deployment determines which mode that is, for example via a command line parameter of the driver.\n\nThis field was immutable in Kubernetes < 1.29 and now is mutable.',
  'csidrivers RequiresRepublish':
    'requiresRepublish indicates the CSI driver wants `NodePublishVolume` being periodically called to reflect any possible change in the mounted volume. This field defaults to false.\n\nNote: After a successful initial NodePublishVolume call, subsequent calls to NodePublishVolume should only update the contents of the volume. New mount points will not be seen by a running container.',
  'csidrivers StorageCapacity':
    'storageCapacity indicates that the CSI volume driver wants pod scheduling to consider the storage capacity that the driver deployment will report by creating CSIStorageCapacity objects with capacity information, if set to true.\n\nThe check can be enabled immediately when deploying a driver. In that case, provisioning new volumes with late binding will pause until the driver deployment has published some suitable CSIStorageCapacity object.\n\nAlternatively, the driver can be deployed with the field unset or false and it can be flipped later when storage capacity information has been published.\n\nThis field was immutable in Kubernetes <= 1.22 and now is mutable.',
  'csidrivers TokenRequests':
    'tokenRequests indicates the CSI driver needs pods\' service account tokens it is mounting volume for to do necessary authentication. Kubelet will pass the tokens in VolumeContext in the CSI NodePublishVolume calls. The CSI driver should parse and validate the following VolumeContext: "csi.storage.k8s.io/serviceAccount.tokens": {\n  "<audience>": {\n    "token": <token>,\n    "expirationTimestamp": <expiration timestamp in RFC3339>,\n  },\n  ...\n}\n\nNote: Audience in each TokenRequest should be different and at most one token is empty string. To receive a new token after expiry, RequiresRepublish can be used to trigger NodePublishVolume periodically.',
  'csinodes Drivers': 'Drivers indicates the number of CSI drivers registered on the node',
  'storageclasses AllowVolumeExpansion': 'allowVolumeExpansion shows whether the storage class allow volume expand.',
  'storageclasses Provisioner': 'provisioner indicates the type of the provisioner.',
  'storageclasses ReclaimPolicy':
    'reclaimPolicy controls the reclaimPolicy for dynamically provisioned PersistentVolumes of this storage class. Defaults to Delete.',
  'storageclasses VolumeBindingMode':
    'volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and bound.  When unset, VolumeBindingImmediate is used. This field is only honored by servers that enable the VolumeScheduling feature.',
  'volumeattachments Attached':
    'attached indicates the volume is successfully attached. This field must only be set by the entity completing the attach operation, i.e. the external-attacher.',
  'volumeattachments Attacher':
    'attacher indicates the name of the volume driver that MUST handle this request. This is the name returned by GetPluginName().',
  'volumeattachments Node': 'nodeName represents the node that the volume should be attached to.',
  'volumeattachments PV': 'persistentVolumeName represents the name of the persistent volume to attach.',
  'volumeattributesclasses DriverName': 'Name of the CSI driver This field is immutable.',
};
