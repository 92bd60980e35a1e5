/** Combines all filters of the scheduler. */

import { misfit } from './fit.ts';
import { takenPorts } from './host-ports.ts';
import type { Node } from './nodes.ts';
import { tooFarOrNear } from './pod-affinity.ts';
import { lackOfRoom, type Misfit, type Requests } from './room.ts';
import type { Situation } from './situation.ts';
import { tooMany } from './spread.ts';

/** Returns, for a scheduling state, a filter of nodes for its pod. */
export type Fitting = (situation: Situation) => (node: Node) => Misfit | undefined;

const noPorts: Misfit = {
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isOthersFault: true,
};

/** Builds the filter: the first reason against a node counts, in kube-scheduler's order. */
export const fittingBy =
  (requests: Requests): Fitting =>
  (situation) => {
    const { pod, on } = situation;
    const asked = requests.of(pod);
    const isTaken = takenPorts(situation);
    const [spread, distance] = [tooMany(situation), tooFarOrNear(situation)];
    return (node) => {
      const reason = misfit(pod, node);
      if (reason !== undefined) return { reasons: [reason], isOthersFault: false };
      if (isTaken(node.metadata.name)) return noPorts;
      const lack = lackOfRoom(asked, node, requests.load(on.get(node.metadata.name) ?? []));
      if (lack !== undefined) return lack;
      const apart = spread(node) ?? distance(node);
      return apart && { reasons: [apart.reason], isOthersFault: apart.isOthersFault };
    };
  };
