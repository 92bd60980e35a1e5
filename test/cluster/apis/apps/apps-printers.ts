/** Tables of the kinds of `apps`. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import {
  ageOf,
  containerCells,
  count,
  labelSelectorText,
  labelsText,
  metaOf,
  nameOf,
  type Printer,
  text,
} from '../printing/printer.ts';

const specOf = (object: Fields): Fields => fieldsOf(object.spec);
const statusOf = (object: Fields): Fields => fieldsOf(object.status);

const deployments: Printer = {
  columns: 'Name|Ready|Up-to-date|Available|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      `${count(status.readyReplicas)}/${count(spec.replicas)}`,
      count(status.updatedReplicas),
      count(status.availableReplicas),
      ageOf(object, ago),
      ...containerCells(spec.template),
      labelSelectorText(spec.selector),
    ];
  },
};

/** Printer of ReplicaSets and ReplicationControllers. */
export const replicaSets: Printer = {
  columns: 'Name|Desired:integer|Current:integer|Ready:integer|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    const isPlain = object.kind === 'ReplicationController';
    return [
      nameOf(object),
      count(spec.replicas),
      count(status.replicas),
      count(status.readyReplicas),
      ageOf(object, ago),
      ...containerCells(spec.template),
      isPlain ? labelsText(spec.selector) : labelSelectorText(spec.selector),
    ];
  },
};

const statefulSets: Printer = {
  columns: 'Name|Ready|Age|Containers+|Images+',
  cells: (object, ago) => [
    nameOf(object),
    `${count(statusOf(object).readyReplicas)}/${count(specOf(object).replicas)}`,
    ageOf(object, ago),
    ...containerCells(specOf(object).template),
  ],
};

const daemonSets: Printer = {
  columns:
    'Name|Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      count(status.desiredNumberScheduled),
      count(status.currentNumberScheduled),
      count(status.numberReady),
      count(status.updatedNumberScheduled),
      count(status.numberAvailable),
      labelsText(fieldsOf(fieldsOf(spec.template).spec).nodeSelector),
      ageOf(object, ago),
      ...containerCells(spec.template),
      labelSelectorText(spec.selector),
    ];
  },
};

const controllerRevisions: Printer = {
  columns: 'Name|Controller|Revision|Age',
  cells(object, ago) {
    const owner = listOf(metaOf(object).ownerReferences).find(({ controller }) => controller === true);
    const controller =
      owner === undefined
        ? '<none>'
        : `${text(owner.kind).toLowerCase()}.${text(owner.apiVersion).split('/')[0]}/${owner.name}`;
    return [nameOf(object), controller, count(object.revision), ageOf(object, ago)];
  },
};

/** Printers of the group, by plural. */
export const appsPrinters: Readonly<Record<string, Printer>> = {
  controllerrevisions: controllerRevisions,
  daemonsets: daemonSets,
  deployments,
  replicasets: replicaSets,
  statefulsets: statefulSets,
};

/** Descriptions of the columns, by `plural Column`. */
export const appsColumnTexts: Readonly<Record<string, string>> = {
  'controllerrevisions Controller': 'Controller of the object',
  'controllerrevisions Revision': 'revision indicates the revision of the state represented by Data.',
  'daemonsets Available':
    'The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds)',
  'daemonsets Current':
    'The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod. More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/',
  'daemonsets Desired':
    'The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod). More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/',
  'daemonsets Node Selector':
    "NodeSelector is a selector which must be true for the pod to fit on a node. Selector which must match a node's labels for the pod to be scheduled on that node. More info: https://kubernetes.io/docs/concepts/configuration/assign-pod-node/",
  'daemonsets Ready':
    'The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and ready.',
  'daemonsets Selector':
    'A label query over pods that are managed by the daemon set. Must match in order to be controlled. If empty, defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
  'daemonsets Up-to-date': 'The total number of nodes that are running updated daemon pod',
  'deployments Available':
    'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.',
  'deployments Selector':
    'Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment.',
  'deployments Up-to-date':
    'Total number of non-terminating pods targeted by this deployment that have the desired template spec.',
  'replicasets Current':
    'Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
  'replicasets Desired':
    'Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
  'replicasets Ready': 'The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.',
  'replicasets Selector':
    'Selector is a label query over pods that should match the replica count. If the selector is empty, it is defaulted to the labels present on the pod template. Label keys and values that must match in order to be controlled by this replica set. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
};
