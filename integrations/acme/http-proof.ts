/** Proof of DNS names by http-01: a responder in the namespace of the workspace, and routes to it by the registered Ingress integration. */

import { isDeepStrictEqual } from 'node:util';
import { findCondition, type Workspace, type WorkspaceStatus } from '../../sdk/index.ts';
import { nameOfRule, withoutDot } from '../dns/records.ts';
import { ingressRulesOf } from '../ingress-rules.ts';
import type { NameChallenge } from './authority.ts';
import { claimByDns } from './challenge-records.ts';
import {
  challengePrefix,
  pathOfChallenge,
  removeResponders,
  responderName,
  responderPort,
  responderProblem,
  runResponder,
} from './challenge-responder.ts';
import type { NameClaim, NameProof } from './proof.ts';

/** Routes of a workspace, and their check from outside. */
export interface ServedRoutes {
  /** Explains why a workspace does not own these names; undefined when it does. Pure. */
  claimOf(workspace: Workspace, names: readonly string[]): NameClaim;
  /** Reads the response of a host at a path. @throws Error describing any other response than a text */
  read(route: { readonly host: string; readonly path: string }, signal: AbortSignal): Promise<string>;
}

type RouteEntry = NonNullable<WorkspaceStatus['routes']>[number];

const isOfChallenge = ({ path }: RouteEntry): boolean => path.startsWith(challengePrefix);

/** Returns `status.routes` with the routes of these challenges in place of previous ones; undefined when it is up to date. */
export function withRoutes(
  entries: readonly RouteEntry[],
  challenges: readonly NameChallenge[],
  service: string,
): readonly RouteEntry[] | undefined {
  const wanted = challenges.map((one) => ({
    host: one.name,
    path: pathOfChallenge(one),
    service,
    port: responderPort,
  }));
  if (isDeepStrictEqual(entries.filter(isOfChallenge), wanted)) return undefined;
  return [...entries.filter((entry) => !isOfChallenge(entry)), ...wanted];
}

/** Conditions of integrations that create routes. */
const routing = ['Ingress', 'Tunneling'];

/**
 * Claim of names by routes: each is the host of an ingress rule, whose routes are there. Where DNS publishes the workspace's names, they are the
 * workspace's there, too.
 */
export function claimByRoutes(workspace: Workspace, names: readonly string[]): NameClaim {
  const { status, metadata, spec } = workspace;
  const zone = withoutDot(spec.networking?.dns?.zone ?? '');
  const own = new Set(ingressRulesOf(workspace).map((rule) => nameOfRule(workspace, rule, zone)));
  const foreign = names.find((name) => !own.has(name));
  if (foreign !== undefined)
    return {
      status: 'Error',
      reason: `${foreign} is not a host of this workspace’s ingress rules: over HTTP it may have a certificate for those only`,
    };
  const conditions = routing.map((type) => findCondition(status?.conditions, type)).filter((one) => one !== undefined);
  const isRouted = conditions.every(
    (one) => one.observedGeneration === metadata.generation && /^(Completed|Healthy)$/.test(one.status),
  );
  const listed = names.slice(0, 3).join(', ');
  if (conditions.length === 0)
    return { status: 'Waiting', reason: `no Ingress integration is registered that routes ${listed}` };
  if (!isRouted) return { status: 'Waiting', reason: `waiting until ${conditions[0]?.type} has routed ${listed}` };
  return findCondition(status?.conditions, 'DNS') === undefined ? undefined : claimByDns(workspace, names);
}

/** Returns the proof by the challenge `http-01`. @param image image of the responder's pod */
export const httpProof = ({ claimOf, read }: ServedRoutes, image: string): NameProof => ({
  type: 'http-01',
  claimOf(workspace, names) {
    const wildcard = names.find((name) => name.startsWith('*'));
    return wildcard === undefined
      ? claimOf(workspace, names)
      : { status: 'Error', reason: `${wildcard} cannot be proved by http-01: a wildcard takes challenge dns-01` };
  },
  async show(controller, challenges) {
    const current = controller.workspace.status?.routes ?? [];
    const service = responderName(controller.workspace, challenges);
    const kept = challenges.length === 0 ? undefined : service;
    const former = current.filter(isOfChallenge).map((entry) => entry.service);
    await removeResponders(controller, [...new Set(former)], kept); // before they are forgotten
    const routes = withRoutes(current, challenges, service);
    if (routes !== undefined)
      await controller.update((status) => {
        if (routes.length === 0) delete status.routes;
        else status.routes = [...routes];
      });
    if (kept !== undefined) await runResponder(controller, challenges, image);
  },
  async missing(controller, challenges) {
    const looks = challenges.map(async (one) => {
      const route = { host: one.name, path: pathOfChallenge(one) };
      const found = await read(route, controller.signal).catch((error: Error) => error);
      if (found === one.text) return undefined;
      const why = found instanceof Error ? found.message.slice(0, 200) : 'something else';
      return `waiting until http://${route.host}${challengePrefix}… answers: ${why}`;
    });
    const first = (await Promise.all(looks)).find((words) => words !== undefined);
    return first && `${first}${await responderProblem(controller, responderName(controller.workspace, challenges))}`;
  },
});
