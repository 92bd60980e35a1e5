/** Workspace that asks for a certificate, at an ACME server in memory. */

import type { AcmeCertificateOptions, NameClaim } from '../../../../integrations/acme/certificate.ts';
import { acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { type Client, conditionOf, Secret, type WorkspaceStatus } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { AcmeServerInMemory, type AcmeServerInMemoryOptions, origin } from './a-server.ts';
import { accountKey, byHttp, publishedAtOnce, servedAtOnce, spec } from './subject.ts';

export const day = 24 * 60 * 60 * 1_000;

/** Settings of the stage. */
interface Setting {
  readonly options?: Partial<AcmeCertificateOptions>;
  readonly server?: Partial<AcmeServerInMemoryOptions>;
  readonly names?: readonly string[];
  /** Names are proved over HTTP. @default false */
  readonly isByHttp?: boolean;
}

/** Makes what the integration and the server see of the answers to challenges. */
function aStageOfProofs(client: Client, isByHttp: boolean) {
  const dns = { claim: undefined as NameClaim, isSeen: true, isAnswered: true };
  const { signal } = new AbortController();
  const published = publishedAtOnce(client);
  const served = servedAtOnce(client);
  const claimOf = () => dns.claim;
  const texts = async (name: string) => (dns.isSeen ? published.texts(name, signal) : []);
  return {
    dns,
    proof: isByHttp ? byHttp({ ...served, claimOf }) : { dns: { claimOf, texts } },
    seen: {
      texts: (name: string) => (dns.isAnswered ? published.texts(name, signal) : []),
      answers: (host: string, path: string) => served.read({ host, path }, signal),
    },
  };
}

/** Makes one. `dns` decides what is seen of it. */
export async function aCertificate({
  options = {},
  server: settings = {},
  names = ['shop'],
  isByHttp = false,
}: Setting = {}) {
  const stage = await aTargetCluster();
  const { client, clock, read } = stage;
  const { dns, proof, seen } = aStageOfProofs(client, isByHttp);
  const server = new AcmeServerInMemory({ clock, ...seen, ...settings });
  const requests: string[] = [];
  const integration = () =>
    acmeCertificate({
      ...{ directory: `${origin}/dir`, accountKey, agreeToTerms: true, clock, random: () => 0 },
      fetch: (input, init) => {
        requests.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname.split('/')[1]}`);
        return server.fetch(input, init);
      },
      ...proof,
      ...options,
    });
  await stage.create(spec(names));
  const actor = stage.actor([integration()]);
  const key = (name: string) => ({ namespace: 'default', name });
  return {
    ...stage,
    server,
    dns,
    actor,
    requests,
    spec,
    /** Walks to its end; a wait within takes virtual time. */
    async walk() {
      const state = { over: false };
      const walking = actor.walk().finally(() => {
        state.over = true;
      });
      walking.catch(() => undefined);
      while (!state.over) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!state.over && requests.length > 0) await clock.advance(100);
      }
      return walking;
    },
    said: async () => {
      const { status, reason } = conditionOf(await read(), 'Certificate');
      return `${status}: ${reason}`;
    },
    dnsOf: async (): Promise<WorkspaceStatus['dns']> => (await read()).status?.dns,
    async secret(name = 'shop-certificate') {
      const { data = {} } = await client.get(Secret, key(name));
      return Object.fromEntries(Object.entries(data).map(([member, text]) => [member, atob(text)]));
    },
    deleteSecret: (name: string) => client.delete(Secret, key(name)),
    key,
  };
}
