/** Where the parts of one control plane are on this machine. */
export interface Layout {
  /** A folder that belongs to this control plane alone. */
  readonly folder: string;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  readonly apiPort: number;
  /** @see RealServerOptions.rbac */
  readonly rbac: boolean;
  /** @see RealServerOptions.controllers */
  readonly controllers: boolean | 'more' | 'all';
  /** @see RealServerOptions.args */
  readonly args: readonly string[];
}

const host = '127.0.0.1';

/** etcd without durability: its data never outlives the test. */
export function etcdArguments({ folder, etcdPort, etcdPeerPort }: Layout): readonly string[] {
  const client = `http://${host}:${etcdPort}`;
  const peer = `http://${host}:${etcdPeerPort}`;
  return [
    `--data-dir=${folder}/etcd`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
  ];
}

/** The API server as it comes, but for what needs other machines: certificates are its own, kept in the folder over a restart. */
export function apiServerArguments({ folder, etcdPort, apiPort, rbac, args }: Layout): readonly string[] {
  return [
    `--etcd-servers=http://${host}:${etcdPort}`,
    `--bind-address=${host}`,
    `--advertise-address=${host}`,
    `--secure-port=${apiPort}`,
    `--cert-dir=${folder}/certificates`,
    `--token-auth-file=${folder}/tokens.csv`,
    `--authorization-mode=${rbac ? 'RBAC' : 'AlwaysAllow'}`,
    '--disable-admission-plugins=ServiceAccount', // nobody makes the tokens that it demands of every pod
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true', // as every installer sets it
    '--service-cluster-ip-range=10.96.0.0/16',
    `--service-account-issuer=https://${host}:${apiPort}`,
    `--service-account-signing-key-file=${folder}/service-account.key`,
    `--service-account-key-file=${folder}/service-account.key`,
    '--profiling=false',
    ...args,
  ];
}

/** The controllers an operator's life depends on, roles such as `view` among it, and no others: pods stay as they are unless a test moves them. */
export const controllers = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
] as const;

/** What counts what is used, and what signs. */
const moreControllers = [
  'resourcequota-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-approving-controller',
] as const;

/** What makes pods of workloads, and counts them. */
const workloadControllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'ttl-after-finished-controller',
  'cronjob-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'disruption-controller',
] as const;

/** The controller manager, alone and at once: no leader election, no port. */
export function controllerManagerArguments({ folder, controllers: chosen }: Layout): readonly string[] {
  const names = [
    ...controllers,
    ...(chosen === 'more' ? moreControllers : []),
    ...(chosen === 'all' ? workloadControllers : []),
  ];
  return [
    `--kubeconfig=${folder}/kubeconfig`,
    `--controllers=${names.join(',')}`,
    `--root-ca-file=${folder}/ca.crt`,
    `--cluster-signing-cert-file=${folder}/signer.crt`,
    `--cluster-signing-key-file=${folder}/certificates/apiserver.key`,
    '--leader-elect=false',
    '--secure-port=0',
    '--concurrent-gc-syncs=5',
    '--kube-api-qps=500',
    '--kube-api-burst=500',
  ];
}
