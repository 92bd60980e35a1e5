/** moto behind a proxy that refuses what AWS refuses: moto takes conflicting changes, and applies half of a batch. */

import { isDeepStrictEqual } from 'node:util';
import { CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { KeyedMutex } from '../../../../sdk/index.ts';
import { type Moto, startMoto } from '../../../system/real/programs/moto.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import { aListener } from './a-listener.ts';
import { answerOf, changesIn, refusalAnswer, setsIn, setXml } from './messages.ts';
import { credential } from './subject.ts';
import { xml } from './xml.ts';
import { type AskedChange, afterBatch, Refusal, type StoredSet } from './zone-rules.ts';

/** moto with one zone, and the address of the proxy before it. */
export interface RealServer {
  readonly url: string;
  /** Client of the proxy. */
  readonly client: Route53Client;
  readonly hostedZoneId: string;
  /** All record sets of the zone besides SOA and NS, as moto lists them. */
  sets(): Promise<readonly StoredSet[]>;
  /** Makes an empty zone in place of the one that is there. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const clientOf = (endpoint: string): Route53Client =>
  new Route53Client({ region: 'us-east-1', endpoint, credentials: { ...credential }, maxAttempts: 1 });

const isOpposite = (one: AskedChange, other: AskedChange): boolean =>
  one.action === 'CREATE' && other.action === 'DELETE' && isDeepStrictEqual(one.set, other.set);

/** Writes a batch without the sets that it deletes and creates alike: moto compares each creation with what was there before the batch. */
function netBatch(changes: readonly AskedChange[]): string | undefined {
  const net = changes.filter((one) => !changes.some((other) => isOpposite(one, other) || isOpposite(other, one)));
  const written = net.map(({ action, set }) => xml('Change', [xml('Action', action), setXml(set)]));
  if (net.length === 0) return undefined;
  return xml('ChangeResourceRecordSetsRequest', [xml('ChangeBatch', [xml('Changes', written)])]);
}

/** Hands requests on to moto, and changes only if AWS took them; each change is answered as PENDING. */
function strictProxy({ url }: Moto, sets: (id: string) => Promise<readonly StoredSet[]>): typeof globalThis.fetch {
  const changing = new KeyedMutex();
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const asked = await request.text();
    const on = async (body: string): Promise<Response> => {
      const { method, headers } = request;
      headers.delete('content-length');
      const answer = await fetch(`${url}${pathname}${search}`, { method, headers, ...(body !== '' && { body }) });
      const text = await answer.text();
      return answerOf(method === 'POST' ? text.replace('INSYNC', 'PENDING') : text, answer.status);
    };
    const [, id] = /\/hostedzone\/([^/]+)\/rrset/.exec(pathname) ?? [];
    if (request.method !== 'POST' || id === undefined) return on(asked);
    return changing.runExclusive(id, async () => {
      try {
        const changes = changesIn(asked);
        afterBatch(`${zone}.`, await sets(id), changes);
        const net = netBatch(changes);
        return net === undefined ? pending() : await on(net);
      } catch (error) {
        if (error instanceof Refusal) return refusalAnswer(error);
        throw error;
      }
    });
  };
}

/** Answers a batch that changes nothing. */
const pending = () =>
  answerOf(
    xml('ChangeResourceRecordSetsResponse', [
      xml('ChangeInfo', [
        xml('Id', '/change/C0'),
        xml('Status', 'PENDING'),
        xml('SubmittedAt', '2026-01-01T00:00:00Z'),
      ]),
    ]),
  );

/** Starts moto with the zone of the tests. */
export async function aRealServer(): Promise<RealServer> {
  const moto = await startMoto();
  const headers = {
    authorization: `AWS4-HMAC-SHA256 Credential=${credential.accessKeyId}/20260101/us-east-1/route53/aws4_request`,
  };
  const sets = async (id: string) => {
    const answer = await fetch(`${moto.url}/2013-04-01/hostedzone/${id}/rrset`, { headers });
    return setsIn(await answer.text()).filter(({ type }) => type !== 'SOA' && type !== 'NS');
  };
  const listener = await aListener(strictProxy(moto, sets));
  const [direct, client] = [clientOf(moto.url), clientOf(listener.url)];
  const state = { hostedZoneId: '' };
  const empty = async (): Promise<void> => {
    await moto.reset();
    const command = new CreateHostedZoneCommand({ Name: zone, CallerReference: 'tests' });
    const { HostedZone } = await direct.send(command);
    state.hostedZoneId = (HostedZone?.Id ?? '').replace('/hostedzone/', '');
  };
  await empty();
  return {
    url: listener.url,
    client,
    get hostedZoneId() {
      return state.hostedZoneId;
    },
    sets: () => sets(state.hostedZoneId),
    empty,
    async close() {
      client.destroy();
      direct.destroy();
      listener.close();
      await moto.close();
    },
  };
}
