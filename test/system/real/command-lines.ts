/** Command lines of a real control plane. */

/** Paths, ports and options of one control plane on this machine. */
export interface Layout {
  /** Folder used by this control plane only. */
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

/**
 * The API server with its defaults, except where they need other machines: it generates its certificates and keeps them in the folder over
 * a restart.
 */
export function apiServerArguments({ folder, etcdPort, apiPort, rbac, args }: Layout): readonly string[] {
  return [
    `--etcd-servers=http://${host}:${etcdPort}`,
    `--bind-address=${host}`,
    `--advertise-address=${host}`,
    `--secure-port=${apiPort}`,
    `--cert-dir=${folder}/certificates`,
    `--token-auth-file=${folder}/tokens.csv`,
    `--authorization-mode=${rbac ? 'RBAC' : 'AlwaysAllow'}`,
    '--disable-admission-plugins=ServiceAccount', // no controller makes the tokens that it demands of every pod
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

/**
 * Controllers that an operator depends on, including the aggregation of roles such as `view`, and no others: pods stay unchanged unless a
 * test changes them.
 */
export const controllers = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
] as const;

/** Controllers of quota usage and of certificate signing. */
const moreControllers = [
  'resourcequota-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-approving-controller',
] as const;

/** Controllers that make pods of workloads and count them. */
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

/** The controller manager, single and immediate: no leader election, no port. */
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
