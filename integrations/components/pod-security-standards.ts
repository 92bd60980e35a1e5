/** Controls of Kubernetes' Pod Security Standards as data. */

/** Level of the Pod Security Standards, from no restrictions to hardening. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** All levels, from least to most restrictive. */
export const podSecurityLevels = [
  'privileged',
  'baseline',
  'restricted',
] as const satisfies readonly PodSecurityLevel[];

/** Field that a control checks. */
export interface Field {
  /** Path below the pod spec, as in the documentation; `[*]` stands for each item, `CONTAINERS` for each of the lists of containers. */
  readonly path: string;
  /** Allowed values, for messages. */
  readonly allowed: string;
  /** Reports whether a value is allowed; an absent field is `undefined`. */
  readonly allows: (value: unknown) => boolean;
}

/** Control of the Pod Security Standards, named as in the Kubernetes documentation. */
export interface Control {
  readonly name: string;
  /** Least restrictive level that demands it. */
  readonly level: Exclude<PodSecurityLevel, 'privileged'>;
  /** Pods with `os.name: windows` are exempt: the API server rejects these fields there. */
  readonly exceptWindows?: true;
  readonly fields: readonly Field[];
}

const isUnset = (value: unknown): boolean => value === undefined || value === null;
const unset = { allowed: 'unset', allows: isUnset };
const unsetOr = (...values: readonly unknown[]): Omit<Field, 'path'> => ({
  allowed: ['unset', ...values.map((value) => JSON.stringify(value))].join(' or '),
  allows: (value) => isUnset(value) || values.includes(value),
});
const only = (...values: readonly unknown[]): Omit<Field, 'path'> => ({
  allowed: values.map((value) => JSON.stringify(value)).join(' or '),
  allows: (value) => values.includes(value),
});
/** Returns the same field of the pod and of its containers. */
const everywhere = (path: string, rule: Omit<Field, 'path'>): readonly Field[] => [
  { path, ...rule },
  { path: `CONTAINERS[*].${path}`, ...rule },
];
const inContainers = (path: string, rule: Omit<Field, 'path'>): Field => ({ path: `CONTAINERS[*].${path}`, ...rule });

const defaultCapabilities =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT';
const safeSysctls = `kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_local_reserved_ports
  net.ipv4.ip_unprivileged_port_start net.ipv4.ping_group_range net.ipv4.tcp_syncookies net.ipv4.tcp_keepalive_time
  net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes net.ipv4.tcp_fin_timeout net.ipv4.tcp_rmem net.ipv4.tcp_wmem`;
const volumeTypes = 'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(
  ' ',
);
const handlers = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.postStart', 'lifecycle.preStop'];

/**
 * Controls of the Pod Security Standards as of Kubernetes 1.34, https://kubernetes.io/docs/concepts/security/pod-security-standards/ . Those about
 * annotations of pods are left out, since a template is a pod's spec only.
 */
export const controls: readonly Control[] = [
  {
    name: 'HostProcess',
    level: 'baseline',
    fields: everywhere('securityContext.windowsOptions.hostProcess', unsetOr(false)),
  },
  {
    name: 'Host Namespaces',
    level: 'baseline',
    fields: ['hostNetwork', 'hostPID', 'hostIPC'].map((path) => ({ path, ...unsetOr(false) })),
  },
  {
    name: 'Privileged Containers',
    level: 'baseline',
    fields: [inContainers('securityContext.privileged', unsetOr(false))],
  },
  {
    name: 'Capabilities',
    level: 'baseline',
    fields: [inContainers('securityContext.capabilities.add[*]', only(...defaultCapabilities.split(' ')))],
  },
  { name: 'HostPath Volumes', level: 'baseline', fields: [{ path: 'volumes[*].hostPath', ...unset }] },
  { name: 'Host Ports', level: 'baseline', fields: [inContainers('ports[*].hostPort', unsetOr(0))] },
  {
    name: 'Host Probes / Lifecycle Hooks',
    level: 'baseline',
    fields: handlers.flatMap((handler) => [
      inContainers(`${handler}.httpGet.host`, unsetOr('')),
      inContainers(`${handler}.tcpSocket.host`, unsetOr('')),
    ]),
  },
  {
    name: 'AppArmor',
    level: 'baseline',
    fields: everywhere('securityContext.appArmorProfile.type', unsetOr('RuntimeDefault', 'Localhost')),
  },
  {
    name: 'SELinux',
    level: 'baseline',
    fields: [
      ...everywhere(
        'securityContext.seLinuxOptions.type',
        unsetOr('', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'),
      ),
      ...everywhere('securityContext.seLinuxOptions.user', unsetOr('')),
      ...everywhere('securityContext.seLinuxOptions.role', unsetOr('')),
    ],
  },
  {
    name: '/proc Mount Type',
    level: 'baseline',
    fields: [inContainers('securityContext.procMount', unsetOr('Default'))],
  },
  {
    name: 'Seccomp',
    level: 'baseline',
    fields: everywhere('securityContext.seccompProfile.type', unsetOr('RuntimeDefault', 'Localhost')),
  },
  {
    name: 'Sysctls',
    level: 'baseline',
    fields: [{ path: 'securityContext.sysctls[*].name', ...only(...safeSysctls.split(/\s+/)) }],
  },
  {
    name: 'Volume Types',
    level: 'restricted',
    fields: [
      {
        path: 'volumes[*]',
        allowed: `one of ${volumeTypes.join(', ')}`,
        allows: (volume) =>
          Object.entries(volume ?? {}).every(
            ([type, source]) => type === 'name' || isUnset(source) || volumeTypes.includes(type),
          ),
      },
    ],
  },
  {
    name: 'Privilege Escalation',
    level: 'restricted',
    exceptWindows: true,
    fields: [inContainers('securityContext.allowPrivilegeEscalation', only(false))],
  },
  {
    name: 'Running as Non-root',
    level: 'restricted',
    fields: [
      { path: 'securityContext.runAsNonRoot', ...only(true) },
      inContainers('securityContext.runAsNonRoot', unsetOr(true)),
    ],
  },
  {
    name: 'Running as Non-root user',
    level: 'restricted',
    fields: everywhere('securityContext.runAsUser', {
      allowed: 'unset or above 0',
      allows: (user) => isUnset(user) || (typeof user === 'number' && user > 0),
    }),
  },
  {
    name: 'Seccomp',
    level: 'restricted',
    exceptWindows: true,
    fields: [{ path: 'securityContext.seccompProfile.type', ...only('RuntimeDefault', 'Localhost') }],
  },
  {
    name: 'Capabilities',
    level: 'restricted',
    exceptWindows: true,
    fields: [
      inContainers('securityContext.capabilities.add[*]', only('NET_BIND_SERVICE')),
      inContainers('securityContext.capabilities.drop', {
        allowed: 'a list with "ALL"',
        allows: (drop) => Array.isArray(drop) && drop.includes('ALL'),
      }),
    ],
  },
];
