import { type KeptObject, rootCaOf, serviceAccount } from '../controllers/namespaces.ts';
import type { Draft } from '../objects/object.ts';
import type { Seeds } from './seeds.ts';

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const namespaceNamed = (name: string): Draft => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

/** The API server itself, as pods see it. */
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

const inEach = (draftIn: KeptObject['draftIn']): readonly Draft[] => initialNamespaces.map(draftIn);

/** The namespaces that every cluster has, and the API server's own service. */
export const firstSeeds: Seeds = {
  '/namespaces': () => initialNamespaces.map(namespaceNamed),
  '/services': ({ addresses }) => [kubernetesService(addresses.own)],
};

/** What controllers that run by themselves have made in the first namespaces, by controller. */
export const keptSeeds = {
  serviceAccount: { '/serviceaccounts': () => inEach(serviceAccount.draftIn) },
  rootCa: { '/configmaps': (machinery) => inEach(rootCaOf(machinery).draftIn) },
} as const satisfies Readonly<Record<string, Seeds>>;

/** The controllers that keep something in every namespace. */
export const keepers = Object.keys(keptSeeds) as readonly (keyof typeof keptSeeds)[];
