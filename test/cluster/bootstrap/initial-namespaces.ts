/** Initial namespaces, and the objects in them. */

import type { Draft } from '../apimachinery/object.ts';
import { type KeptObject, rootCaOf, serviceAccount } from '../controllers/namespaces/namespaces.ts';
import type { BootstrapObjects } from './bootstrap-objects.ts';

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const namespaceNamed = (name: string): Draft => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

/** Service of the API server. */
const kubernetesService = (clusterIP: string): Draft => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP,
    clusterIPs: [clusterIP],
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
  status: { loadBalancer: {} },
});

const inEachNamespace = (draftIn: KeptObject['draftIn']): readonly Draft[] => initialNamespaces.map(draftIn);

/** Initial namespaces and the `kubernetes` Service. */
export const namespacesAndService: BootstrapObjects = {
  '/namespaces': () => initialNamespaces.map(namespaceNamed),
  '/services': ({ serviceAllocator }) => [kubernetesService(serviceAllocator.apiServerIp)],
};

/** Objects that namespace controllers create in the initial namespaces, by controller. */
export const perNamespaceObjects = {
  serviceAccount: { '/serviceaccounts': () => inEachNamespace(serviceAccount.draftIn) },
  rootCa: { '/configmaps': (server) => inEachNamespace(rootCaOf(server).draftIn) },
} as const satisfies Readonly<Record<string, BootstrapObjects>>;

/** Controllers that keep an object in every namespace. */
export const perNamespaceControllers = Object.keys(
  perNamespaceObjects,
) as readonly (keyof typeof perNamespaceObjects)[];
