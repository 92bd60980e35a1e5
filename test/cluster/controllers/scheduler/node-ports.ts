/** kube-scheduler's filter NodePorts. */

import type { Pod } from '../pods/pod.ts';
import type { SchedulingSnapshot } from './snapshot.ts';

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const everywhere = '0.0.0.0';

function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const { containers, initContainers = [] } = spec;
  const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
  return running
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort }) => Boolean(hostPort))
    .map(({ hostPort, hostIP, protocol }) => ({
      ip: hostIP || everywhere,
      protocol: protocol || 'TCP',
      port: hostPort!,
    }));
}

const isConflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === everywhere || b.ip === everywhere);

/** Returns a predicate on node names: whether a host port that the pod wants is taken there. */
export function nodePortsFilter({ pod, podsByNode }: SchedulingSnapshot): (nodeName: string) => boolean {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return () => false;
  return (nodeName) =>
    (podsByNode.get(nodeName) ?? []).some((other) =>
      hostPortsOf(other).some((port) => wanted.some((own) => isConflict(own, port))),
    );
}
