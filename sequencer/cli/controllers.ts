import type { ClusterOptions, ControllerModes, KubeletOptions } from '../../test/cluster/index.ts';

/** What `--controllers` asks of a cluster. */
export interface ControllerChoice {
  readonly controllers: NonNullable<ClusterOptions['controllers']>;
  /** With `all` pods run, on a node that is there, and that is told. */
  readonly kubelet?: KubeletOptions;
}

const everything: KubeletOptions = { events: true, nodes: ['in-memory-node'] };

/** Reads `all`, or names such as `deployment,replicaSet`, each with another mode where it is given: `all,cronJob=off`. The names are the cluster's to check. */
export function controllersFrom(text: string): ControllerChoice {
  const words = text.split(',').map((word) => word.trim());
  const named = words.filter((word) => word !== 'all' && word !== '');
  const modes = Object.fromEntries(
    named.map((word) => {
      const [name = '', mode = 'auto'] = word.split('=');
      return [name, mode];
    }),
  ) as ControllerModes;
  if (!words.includes('all')) return { controllers: modes };
  return { controllers: { others: 'auto', ...modes }, kubelet: everything };
}

/** The same, where nothing runs that is not named: an API server alone. */
export function namedControllers(text = ''): ControllerChoice {
  const { controllers, ...rest } = controllersFrom(text);
  return { controllers: controllers === 'all' ? controllers : { others: 'off', ...controllers }, ...rest };
}
