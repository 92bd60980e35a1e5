import type { Clock } from '../../sdk/clock.ts';
import type { Cluster } from './cluster.ts';
import type { ControlActions } from './http/control.ts';

/** What `POST /control/NAME` does to a cluster. */
export const actionsOf = (cluster: Cluster, _clock: Clock): ControlActions => ({
  compact() {
    cluster.compact();
    return { revision: cluster.revision };
  },
});
