/** Connector of a tunnel: the Deployment that runs `cloudflared` in the workspace's namespace. */

import {
  AlreadyExistsError,
  Deployment,
  instanceOf,
  isDeleting,
  type NewObject,
  type ProviderController,
  secretNameOf,
  type Workspace,
} from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';
import { type RefusedAction, refusedAction } from '../refused-action.ts';
import { dnsLabelName } from '../service-names.ts';

/** Requests and limits of a container, such as `{ requests: { cpu: '10m', memory: '64Mi' } }`. */
export interface ConnectorResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** Settings of all connectors. */
export interface ConnectorSettings {
  readonly image: string;
  readonly replicas: number;
  /** Requests and limits of the container. */
  readonly resources: ConnectorResources;
}

const label = 'tunnel.sequencer.io/workspace';
const idAnnotation = 'tunnel.sequencer.io/id';

/** Port at which `cloudflared` says whether it is connected. */
const metricsPort = 2_000;

const probe = { httpGet: { path: '/ready', port: metricsPort }, periodSeconds: 10, failureThreshold: 3 };

/** Returns the name of the Secret with the token of a workspace's tunnel. */
export const tokenSecretName = (workspace: Workspace): string => secretNameOf(workspace, 'Tunneling');

const connectorName = ({ metadata }: Workspace): string => dnsLabelName(metadata.name, 'cloudflared');

/** Returns the Deployment; another tunnel replaces its pods. They meet the Pod Security Standard `restricted`. */
export function connectorOf(
  workspace: Workspace,
  tunnelId: string,
  { image, replicas, resources }: ConnectorSettings,
): NewObject<Deployment> {
  const labels = { [label]: instanceOf(workspace) };
  const token = { name: tokenSecretName(workspace), key: 'token' };
  return {
    metadata: { name: connectorName(workspace), labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { [idAnnotation]: tunnelId } },
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'cloudflared',
              image,
              args: ['tunnel', '--no-autoupdate', '--metrics', `0.0.0.0:${metricsPort}`, 'run'],
              env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: token } }],
              ports: [{ name: 'metrics', containerPort: metricsPort }],
              readinessProbe: probe,
              resources,
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
                readOnlyRootFilesystem: true,
              },
            },
          ],
        },
      },
    },
  };
}

/** Reports whether a value includes the desired one. Additional members are defaults of the API server; lists must have equal length. */
export function hasAll(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(there) && there.length === wanted.length && wanted.every((one, index) => hasAll(there[index], one))
    );
  if (typeof wanted !== 'object' || wanted === null) return there === wanted;
  if (there === undefined) return Object.keys(wanted).length === 0;
  return (
    typeof there === 'object' &&
    there !== null &&
    Object.entries(wanted).every(([member, value]) => hasAll((there as Record<string, unknown>)[member], value))
  );
}

/** Returns the Deployments of a workspace's connector, of which there is one at most. */
export const connectorsOf = async (controller: ProviderController): Promise<readonly Deployment[]> =>
  (await controller.owned(Deployment)).filter(({ metadata }) => metadata.labels?.[label] !== undefined);

/** Creates or updates the Deployment. @returns the refusal of the API server, if any */
export async function applyConnector(
  controller: ProviderController,
  wanted: NewObject<Deployment>,
): Promise<RefusedAction | undefined> {
  const name = wanted.metadata.name ?? '';
  const existing = (await connectorsOf(controller)).find(({ metadata }) => metadata.name === name);
  if (existing !== undefined && (isDeleting(existing) || hasAll(existing.spec, wanted.spec))) return undefined;
  try {
    const deployment = existing ?? (await controller.create(Deployment, wanted));
    if (hasAll(deployment.spec, wanted.spec)) return undefined;
    const { uid } = deployment.metadata;
    await controller.patch(Deployment, { name }, { type: 'merge', value: { metadata: { uid }, spec: wanted.spec } });
    return undefined;
  } catch (error) {
    if (error instanceof AlreadyExistsError)
      return {
        reason: `Deployment ${name} exists and is not this workspace’s: delete or rename it`,
        isRetryable: true,
      };
    return refusedAction(error);
  }
}

/** Deletes the Deployment. @returns whether it does not exist any more. @throws the error of the API server */
export async function removeConnector(controller: ProviderController): Promise<boolean> {
  const left = await connectorsOf(controller);
  const ends = await Promise.all(
    left.map(({ metadata: { name } }) => controller.delete(Deployment, { name }, { propagation: 'Foreground' })),
  );
  return ends.every((end) => end === 'gone');
}

/** Conditions of a Deployment, with the status that means a failure. */
const failures: Readonly<Record<string, string>> = { ReplicaFailure: 'True', Progressing: 'False' };

/** Explains what a connector waits for; undefined when all of its replicas are connected. */
export function waitingFor({ metadata, spec, status }: Deployment): string | undefined {
  const wanted = spec?.replicas ?? 1;
  const {
    observedGeneration = 0,
    updatedReplicas = 0,
    availableReplicas = 0,
    replicas = 0,
    conditions = [],
  } = status ?? {};
  const isCurrent = observedGeneration >= (metadata.generation ?? 0);
  if (isCurrent && [updatedReplicas, availableReplicas, replicas].every((count) => count === wanted)) return undefined;
  const failed = conditions.find(({ type, status: is }) => failures[type] === is);
  const why = failed === undefined ? '' : `: ${shortLine(failed.message ?? failed.reason ?? '')}`;
  return `waiting for the connector, Deployment ${metadata.name}${why}`;
}
