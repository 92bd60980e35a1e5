/** Sample pod specs for the Pod Security Standards. */

/** A pod spec, and the strictest Pod Security Standard that it meets when created by `components`. */
export interface SamplePod {
  readonly what: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly meets: 'privileged' | 'baseline' | 'restricted';
  /** Field for which the pod fails `restricted`. */
  readonly field?: string;
}

const main = { name: 'main', image: 'example.test/main' };
const container = (fields: object, meets: SamplePod['meets'], field?: string) => ({
  what: `a container with ${JSON.stringify(fields)}`,
  spec: { containers: [{ ...main, ...fields }] },
  meets,
  ...(field !== undefined && { field: `template.containers[0].${field}` }),
});
const context = (securityContext: object, meets: SamplePod['meets'], field?: string) =>
  container({ securityContext }, meets, field && `securityContext.${field}`);
const pod = (fields: object, meets: SamplePod['meets'], field?: string) => ({
  what: `a pod with ${JSON.stringify(fields)}`,
  spec: { containers: [main], ...fields },
  meets,
  ...(field !== undefined && { field: `template.${field}` }),
});
const podContext = (securityContext: object, meets: SamplePod['meets'], field?: string) =>
  pod({ securityContext }, meets, field && `securityContext.${field}`);
const volume = (source: object, meets: SamplePod['meets']) =>
  pod({ volumes: [{ name: 'v', ...source }] }, meets, meets === 'restricted' ? undefined : 'volumes[0]');

/** Allowed and other values of each control in the documentation of the standards. */
export const samplePods: readonly SamplePod[] = [
  pod({}, 'restricted'),
  podContext({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } }, 'restricted'),
  pod({ hostPID: false, hostNetwork: false }, 'restricted'),
  pod({ hostPID: true }, 'privileged', 'hostPID'),
  pod({ hostIPC: true }, 'privileged', 'hostIPC'),
  pod({ hostNetwork: true }, 'privileged', 'hostNetwork'),
  pod({ initContainers: [{ ...main, name: 'init' }] }, 'restricted'),
  pod(
    {
      initContainers: [
        { ...main, name: 'init', securityContext: { privileged: true, allowPrivilegeEscalation: true } },
      ],
    },
    'privileged',
    'initContainers[0].securityContext.privileged',
  ),
  context({ privileged: false }, 'restricted'),
  context({ privileged: true, allowPrivilegeEscalation: true }, 'privileged', 'privileged'),
  context({ capabilities: { add: ['NET_BIND_SERVICE'] } }, 'restricted'),
  context({ capabilities: { add: ['CHOWN'] } }, 'baseline', 'capabilities.add[0]'),
  context({ capabilities: { add: ['NET_BIND_SERVICE', 'NET_RAW'] } }, 'privileged', 'capabilities.add[1]'),
  context({ capabilities: { drop: ['NET_RAW'] } }, 'baseline', 'capabilities.drop'),
  context({ capabilities: { drop: ['KILL', 'ALL'] } }, 'restricted'),
  context({ allowPrivilegeEscalation: true }, 'baseline', 'allowPrivilegeEscalation'),
  context({ allowPrivilegeEscalation: false }, 'restricted'),
  context({ runAsNonRoot: false }, 'baseline', 'runAsNonRoot'),
  context({ runAsUser: 0 }, 'baseline', 'runAsUser'),
  context({ runAsUser: 1000 }, 'restricted'),
  context({ procMount: 'Default' }, 'restricted'),
  context({ seccompProfile: { type: 'Unconfined' } }, 'privileged', 'seccompProfile.type'),
  context({ seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' } }, 'restricted'),
  context({ appArmorProfile: { type: 'Unconfined' } }, 'privileged', 'appArmorProfile.type'),
  context({ appArmorProfile: { type: 'RuntimeDefault' } }, 'restricted'),
  context({ seLinuxOptions: { type: 'container_t' } }, 'restricted'),
  context({ seLinuxOptions: { type: 'container_engine_t', level: 's0' } }, 'restricted'),
  context({ seLinuxOptions: { type: 'spc_t' } }, 'privileged', 'seLinuxOptions.type'),
  context({ seLinuxOptions: { user: 'sysadm_u' } }, 'privileged', 'seLinuxOptions.user'),
  context({ seLinuxOptions: { role: 'sysadm_r' } }, 'privileged', 'seLinuxOptions.role'),
  podContext({ runAsNonRoot: false }, 'baseline', 'runAsNonRoot'),
  podContext({ runAsUser: 0 }, 'baseline', 'runAsUser'),
  podContext({ seccompProfile: { type: 'Unconfined' } }, 'privileged', 'seccompProfile.type'),
  podContext({ seLinuxOptions: { type: 'spc_t' } }, 'privileged', 'seLinuxOptions.type'),
  podContext({ appArmorProfile: { type: 'Unconfined' } }, 'privileged', 'appArmorProfile.type'),
  pod(
    { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } },
    'privileged',
    'securityContext.windowsOptions.hostProcess',
  ),
  podContext({ sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] }, 'restricted'),
  podContext({ sysctls: [{ name: 'kernel.msgmax', value: '1' }] }, 'privileged', 'sysctls[0].name'),
  container({ ports: [{ containerPort: 80 }] }, 'restricted'),
  container({ ports: [{ containerPort: 80, hostPort: 80 }] }, 'privileged', 'ports[0].hostPort'),
  container({ livenessProbe: { httpGet: { port: 80 } } }, 'restricted'),
  container({ livenessProbe: { httpGet: { port: 80, host: '10.0.0.1' } } }, 'privileged', 'livenessProbe.httpGet.host'),
  container({ startupProbe: { tcpSocket: { port: 80, host: 'a' } } }, 'privileged', 'startupProbe.tcpSocket.host'),
  container(
    { lifecycle: { preStop: { httpGet: { port: 80, host: 'a' } } } },
    'privileged',
    'lifecycle.preStop.httpGet.host',
  ),
  volume({ emptyDir: {} }, 'restricted'),
  volume({ configMap: { name: 'a' } }, 'restricted'),
  volume({ secret: { secretName: 'a' } }, 'restricted'),
  volume({ persistentVolumeClaim: { claimName: 'a' } }, 'restricted'),
  volume({ projected: { sources: [{ configMap: { name: 'a' } }] } }, 'restricted'),
  volume({ downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } }, 'restricted'),
  volume({ csi: { driver: 'a.example.test' } }, 'restricted'),
  volume({ image: { reference: 'a' } }, 'restricted'),
  volume({ nfs: { server: 'a', path: '/' } }, 'baseline'),
  volume({ iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:a', lun: 0 } }, 'baseline'),
  pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, 'privileged', 'volumes[0].hostPath'),
  {
    what: 'a pod for Windows',
    spec: { os: { name: 'windows' }, containers: [main], securityContext: { runAsNonRoot: true } },
    meets: 'restricted',
  },
];

type Fields = Readonly<Record<string, unknown>>;

const hardened = (one: Fields): Fields => {
  const { securityContext, ...rest } = one as { readonly securityContext?: Fields };
  const { capabilities } = (securityContext ?? {}) as { readonly capabilities?: Fields };
  const filled = {
    allowPrivilegeEscalation: false,
    ...securityContext,
    capabilities: { drop: ['ALL'], ...capabilities },
  };
  return { ...rest, securityContext: filled };
};

/** The spec with the four fields that `restricted` demands set where they are missing, as a careful tenant would set them. */
export function careful(spec: Fields): Fields {
  const { containers, initContainers, securityContext, os } = spec as {
    readonly containers: readonly Fields[];
    readonly initContainers?: readonly Fields[];
    readonly securityContext?: Fields;
    readonly os?: object;
  };
  if (os !== undefined) return spec;
  return {
    ...spec,
    containers: containers.map(hardened),
    ...(initContainers && { initContainers: initContainers.map(hardened) }),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, ...securityContext },
  };
}
