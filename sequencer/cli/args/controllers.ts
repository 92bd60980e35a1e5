/** Parses the option `--controllers`. */

import type { ClusterOptions, ControllerModes, KubeletOptions } from '../../../test/cluster/index.ts';

/** Parsed value of `--controllers`. */
export interface ControllerChoice {
  readonly controllers: NonNullable<ClusterOptions['controllers']>;
  /** Set by `all`: pods run on a registered node, with events. */
  readonly kubelet?: KubeletOptions;
}

const fullKubelet: KubeletOptions = { events: true, nodes: ['in-memory-node'] };

/** Parses `all`, or names such as `deployment,replicaSet`, each with an optional mode: `all,cronJob=off`. The cluster validates the names. */
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
  return { controllers: { others: 'auto', ...modes }, kubelet: fullKubelet };
}

/** Parses the value as {@link controllersFrom}; controllers that are not named are off, as without a controller manager. */
export function namedControllers(text = ''): ControllerChoice {
  const { controllers, ...rest } = controllersFrom(text);
  return { controllers: controllers === 'all' ? controllers : { others: 'off', ...controllers }, ...rest };
}
