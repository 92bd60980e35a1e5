import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { frame, unframe } from '../../../integrations/rfc2136/exchange.ts';
import { decodeData } from '../../../integrations/rfc2136/record-data.ts';
import { sign, signEmpty, type TsigKey, tsigOf, verify } from '../../../integrations/rfc2136/tsig.ts';
import {
  cls,
  decodeMessage,
  encodeMessage,
  encodeName,
  type Message,
  opcode,
  type ResourceRecord,
  rcode,
  type,
} from '../../../integrations/rfc2136/wire.ts';
import { updated } from './zone.ts';

/** What happens to the next request instead of an answer as it should be. */
export type Fault =
  /** The connection is closed and nothing done. */
  | 'lost before'
  /** It is carried out, then the connection is closed. */
  | 'lost after'
  /** Nothing is ever answered. */
  | 'silent'
  /** It is carried out; the answer carries no signature. */
  | 'unsigned'
  /** It is carried out; the answer says it is another's. */
  | 'other id'
  /** The answer is this code, signed, and nothing is done. */
  | { readonly code: number };

export interface TestNameServerOptions {
  readonly zone?: string;
  readonly key: TsigKey;
  /** Seconds since the epoch. */
  readonly now: () => number;
}

/** A name server in this process: RFC 2136 with prerequisites, TSIG, TCP on the loopback address. Strict: what it cannot verify changes nothing. */
export interface TestNameServer {
  readonly host: string;
  readonly port: number;
  /** What is published but the SOA: `name type target`, sorted. */
  records(): readonly string[];
  /** How many updates were carried out. */
  readonly updates: number;
  /** How many messages came in. */
  readonly requests: number;
  /** Publishes a record as somebody else would. */
  publish(record: ResourceRecord): void;
  /** Removes everything but the SOA, as somebody else would. */
  clear(): void;
  failNext(fault: Fault): void;
  close(): Promise<void>;
}

const typeName = (number: number): string =>
  Object.entries(type).find(([, value]) => value === number)?.[0] ?? `${number}`;

const answerTo = (request: Message, code: number, answers: readonly ResourceRecord[] = []): Message => ({
  ...request,
  response: true,
  authoritative: true,
  rcode: code,
  answers,
  authority: [],
  additional: [],
});

/** Why a request is not accepted: the answer to send, signed as far as that is possible; undefined when its signature holds. */
function objection(bytes: Buffer, { key, now }: TestNameServerOptions): Buffer | undefined {
  const request = decodeMessage(bytes);
  const tsig = tsigOf(request);
  if (tsig === undefined) return encodeMessage(answerTo(request, rcode.REFUSED));
  const refusal = encodeMessage(answerTo(request, rcode.NOTAUTH));
  const { keyName, algorithm, time, fudge } = tsig;
  const empty = (error: number) =>
    signEmpty(refusal, { keyName, algorithm, time, fudge, error, other: Buffer.alloc(0) });
  const knows = keyName.toLowerCase() === key.name && algorithm.toLowerCase() === key.algorithm;
  if (!knows) return empty(rcode.BADKEY);
  try {
    verify(bytes, key, time);
  } catch {
    return empty(rcode.BADSIG);
  }
  if (Math.abs(now() - time) <= fudge) return undefined;
  const other = Buffer.alloc(6);
  other.writeUIntBE(Math.floor(now()), 0, 6);
  return sign(refusal, key, { time, fudge, requestMac: tsig.mac, error: rcode.BADTIME, other }).bytes;
}

const soaOf = (zone: string): ResourceRecord => ({
  name: zone,
  type: type.SOA,
  class: cls.IN,
  ttl: 60,
  data: Buffer.concat([encodeName(`ns1.${zone}`), encodeName(`hostmaster.${zone}`), Buffer.alloc(20)]),
});

/** Starts one, ready to be asked. */
export async function startTestNameServer(options: TestNameServerOptions): Promise<TestNameServer> {
  const { zone = 'example.test', key, now } = options;
  let records: readonly ResourceRecord[] = [soaOf(zone)];
  let updates = 0;
  let requests = 0;
  const faults: Fault[] = [];
  const sockets = new Set<Socket>();

  const carryOut = (request: Message): Message => {
    const [question] = request.questions;
    if (question === undefined || request.questions.length !== 1) return answerTo(request, rcode.FORMERR);
    if (request.opcode === opcode.QUERY) {
      const found = records.filter(
        ({ name, type: recordType }) => name === question.name && recordType === question.type,
      );
      const exists = records.some(({ name }) => name === question.name);
      return answerTo(request, exists ? rcode.NOERROR : rcode.NXDOMAIN, found);
    }
    if (request.opcode !== opcode.UPDATE) return answerTo(request, rcode.NOTIMP);
    if (question.type !== type.SOA || question.class !== cls.IN) return answerTo(request, rcode.FORMERR);
    if (question.name.toLowerCase() !== zone) return answerTo(request, rcode.NOTAUTH);
    const result = updated(zone, records, { prerequisites: request.answers, changes: request.authority });
    records = result.records;
    if (result.code === rcode.NOERROR) updates += 1;
    return answerTo(request, result.code);
  };

  const respond = (bytes: Buffer, fault: Fault | undefined): Buffer | undefined => {
    const refused = objection(bytes, options);
    if (refused !== undefined) return refused;
    const request = decodeMessage(bytes);
    const answer = typeof fault === 'object' ? answerTo(request, fault.code) : carryOut(request);
    if (fault === 'lost after') return undefined;
    if (fault === 'unsigned') return encodeMessage(answer);
    const message = fault === 'other id' ? { ...answer, id: answer.id ^ 1 } : answer;
    const { fudge, mac } = tsigOf(request)!;
    return sign(encodeMessage(message), key, { time: Math.floor(now()), fudge, requestMac: mac }).bytes;
  };

  const serve = (socket: Socket): void => {
    let received: Buffer = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const bytes = unframe(received);
      if (bytes === undefined) return;
      requests += 1;
      const fault = faults.shift();
      if (fault === 'silent') return;
      const answer = fault === 'lost before' ? undefined : respond(bytes, fault);
      if (answer === undefined) socket.destroy();
      else socket.end(frame(answer));
    });
  };
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    records: () =>
      records
        .filter((record) => record.type !== type.SOA)
        .map((record) => `${record.name} ${typeName(record.type)} ${decodeData(record)}`)
        .sort(),
    get updates() {
      return updates;
    },
    get requests() {
      return requests;
    },
    publish: (record) => {
      records = [...records, record];
    },
    clear: () => {
      records = [soaOf(zone)];
    },
    failNext: (fault) => void faults.push(fault),
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
