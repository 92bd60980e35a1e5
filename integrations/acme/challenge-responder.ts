/** Pod and Service that respond to the http-01 challenges of one order. */

import { createHash } from 'node:crypto';
import {
  AlreadyExistsError,
  DefiniteError,
  ignoreNotFound,
  isDeleting,
  isOwnedBy,
  type Kind,
  type NewObject,
  Pod,
  type ProviderController,
  Service,
  type Workspace,
} from '../../sdk/index.ts';
import { dnsLabelName } from '../service-names.ts';
import type { NameChallenge } from './authority.ts';

/** Path prefix of challenge responses (RFC 8555, section 8.3). */
export const challengePrefix = '/.well-known/acme-challenge/';

/** Port at which a responder listens. */
export const responderPort = 8_089;

const label = 'acme.sequencer.io/responder';

/** Returns the path of a challenge's response. */
export const pathOfChallenge = ({ text }: Pick<NameChallenge, 'text'>): string =>
  `${challengePrefix}${text.slice(0, text.indexOf('.'))}`;

/**
 * Program of a responder. It serves the responses in its environment, answers 404 to all other paths, reads no body, and limits the number and the duration of connections.
 */
export const responderProgram: string = `
const { ANSWERS = '', PORT } = process.env;
const answers = new Map(ANSWERS.split(' ').map((answer) => ['${challengePrefix}' + answer.split('.')[0], answer]));
const limits = { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10000, connectionsCheckingInterval: 1000 };
const server = require('node:http').createServer(limits, ({ method, url }, response) => {
  const answer = method === 'GET' || method === 'HEAD' ? answers.get(url) : undefined;
  response.writeHead(answer ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' });
  response.end(answer ?? 'no such challenge\\n');
});
server.maxConnections = 100;
server.listen(Number(PORT));
process.on('SIGTERM', () => process.exit());
`.trim();

/** Returns the name of the responder for these challenges. */
export function responderName({ metadata }: Workspace, challenges: readonly NameChallenge[]): string {
  const digest = createHash('sha256').update(challenges.map(({ text }) => text).join());
  return dnsLabelName(metadata.name, 'acme', digest.digest('hex').slice(0, 10));
}

/** Returns pod and Service. The pod meets the Pod Security Standard `restricted`. */
export function responderOf(
  workspace: Workspace,
  challenges: readonly NameChallenge[],
  image: string,
): { readonly pod: NewObject<Pod>; readonly service: NewObject<Service> } {
  const name = responderName(workspace, challenges);
  const labels = { [label]: name };
  const port = { name: 'http', port: responderPort };
  const resources = { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '100m', memory: '128Mi' } };
  return {
    pod: {
      metadata: { name, labels },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 1,
        securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'responder',
            image,
            command: ['node', '-e', responderProgram],
            env: [
              { name: 'ANSWERS', value: [...new Set(challenges.map(({ text }) => text))].join(' ') },
              { name: 'PORT', value: String(responderPort) },
            ],
            ports: [{ name: port.name, containerPort: responderPort }],
            readinessProbe: { tcpSocket: { port: responderPort }, periodSeconds: 1 },
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
    service: { metadata: { name, labels }, spec: { selector: labels, ports: [port] } },
  };
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** Creates missing pods and Services; a pod that has ended is deleted and recreated. @throws DefiniteError when a name is taken */
export async function runResponder(
  controller: ProviderController,
  challenges: readonly NameChallenge[],
  image: string,
): Promise<void> {
  const { pod, service } = responderOf(controller.workspace, challenges, image);
  const { name = '' } = pod.metadata;
  try {
    await controller.create(Service, service);
    const created = await controller.create(Pod, pod);
    const { uid = '' } = created.metadata;
    if (hasEnded(created) && !isDeleting(created)) await controller.delete(Pod, { name }, { preconditions: { uid } });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    throw new DefiniteError(`a Pod or Service ${name} exists and is not this workspace’s: delete or rename it`);
  }
}

/** Deletes the responders of a workspace except `kept`: the named and all cached ones. Objects of other owners are not touched. */
export async function removeResponders(
  controller: ProviderController,
  named: readonly string[],
  kept?: string,
): Promise<void> {
  const { workspace } = controller;
  for (const kind of [Pod, Service] as readonly Kind<Pod | Service>[]) {
    const seen = await controller.owned(kind);
    const unseen = named.filter((name) => !seen.some(({ metadata }) => metadata.name === name));
    const read = await Promise.all(unseen.map((name) => ignoreNotFound(controller.get(kind, { name }))));
    for (const one of [...seen, ...read]) {
      const { name = '', uid = '', labels } = one?.metadata ?? {};
      const isOurs = one !== undefined && labels?.[label] !== undefined && isOwnedBy(one, workspace);
      if (isOurs && name !== kept && !isDeleting(one))
        await controller.delete(kind, { name }, { preconditions: { uid } });
    }
  }
}

/** Describes the problem of a responder's pod; empty while it starts normally. */
export async function responderProblem(controller: ProviderController, name: string): Promise<string> {
  const pod = (await controller.owned(Pod)).find(({ metadata }) => metadata.name === name);
  const unscheduled = pod?.status?.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  const waiting = pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
  const why = unscheduled?.reason ?? (waiting === 'ContainerCreating' ? undefined : waiting);
  return why === undefined ? '' : `; Pod ${name}: ${why}`;
}
