/** Client of a name server, with signed messages. */

import { randomInt } from 'node:crypto';
import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { type Exchange, ExchangeError, type ServerAddress } from './exchange.ts';
import { isRefusalCode, refusalError, type UpdateTarget } from './refusal.ts';
import { sign, TsigError, type TsigKey, tsigOf, verify } from './tsig.ts';
import type { Update } from './update.ts';
import {
  cls,
  decodeMessage,
  encodeMessage,
  type Message,
  opcode,
  type ResourceRecord,
  rcode,
  rcodeName,
  type,
} from './wire.ts';

/** Options of {@link nameServer}. */
export interface NameServerOptions {
  readonly server: ServerAddress;
  readonly key: TsigKey;
  /** Allowed clock skew in seconds, which is also the validity of a request. */
  readonly fudge: number;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly clock: Clock;
  /** Transport of the messages. */
  readonly exchange: Exchange;
}

/** Message without id, flags and signature. */
type ServerRequest = Pick<Message, 'opcode' | 'questions' | 'answers' | 'authority'>;

/** Client of a zone's primary server, over TCP with TSIG; responses are accepted only with a valid signature. */
export interface NameServer {
  /**
   * Sends one atomic update. @returns NOERROR when it was carried out, YXDOMAIN, YXRRSET, NXDOMAIN or NXRRSET when a prerequisite did not hold
   * @throws DefiniteError when it had no effect, another Error when that is unknown
   */
  update(zone: string, update: Update, signal: AbortSignal): Promise<number>;
  /** Returns the records of one name and type, if any. @throws DefiniteError or Error when they cannot be read */
  lookup(name: string, recordType: number, signal: AbortSignal): Promise<readonly ResourceRecord[]>;
}

/** Request, with its subject and signal. */
interface ServerQuestion {
  readonly request: ServerRequest;
  /** Zone or name of the request, for messages. */
  readonly about: string;
  readonly signal: AbortSignal;
}

/** Id and MAC of a sent request, to match its response. */
interface SentUpdate {
  readonly id: number;
  readonly mac: Buffer;
  readonly target: UpdateTarget;
}

const updateTargetOf = ({ server, key, fudge }: NameServerOptions, about: string): UpdateTarget => ({
  server: `${server.host}:${server.port}`,
  zone: about,
  keyName: key.name,
  fudge,
});

/** Verifies and decodes a response. A refusal is accepted unsigned: servers cannot sign for unknown keys, and a refused request is sent again. */
function trust(bytes: Buffer, { id, mac, target }: SentUpdate, { key, clock }: NameServerOptions): Message {
  const message = decodeMessage(bytes);
  if (message.id !== id || !message.response)
    throw new Error(`name server ${target.server}: returned another request than ${id}`);
  try {
    const tsig = verify(bytes, key, { now: clock.now() / 1000, requestMac: mac });
    if (tsig.error !== 0) throw refusalError({ code: message.rcode, tsig }, target);
    return message;
  } catch (error) {
    if (!(error instanceof TsigError)) throw error;
    if (isRefusalCode(message.rcode)) throw refusalError({ code: message.rcode, tsig: tsigOf(message) }, target);
    throw new Error(`name server ${target.server}: its ${rcodeName(message.rcode)} is not trusted: ${error.message}`, {
      cause: error,
    });
  }
}

const expected: ReadonlySet<number> = new Set([
  rcode.NOERROR,
  rcode.YXDOMAIN,
  rcode.YXRRSET,
  rcode.NXDOMAIN,
  rcode.NXRRSET,
]);

async function ask({ request, about, signal }: ServerQuestion, options: NameServerOptions): Promise<Message> {
  const { server, key, fudge, clock, deadline, exchange } = options;
  const target = updateTargetOf(options, about);
  const id = randomInt(0x10000);
  const message = { ...request, id, rcode: 0, response: false, authoritative: false, additional: [] };
  const { bytes, mac } = sign(encodeMessage(message), key, { time: Math.floor(clock.now() / 1000), fudge });
  const received = await exchange(server, bytes, { deadline, clock, signal }).catch((error) => {
    if (error instanceof ExchangeError && !error.sent) throw new DefiniteError(error.message, { cause: error });
    throw error;
  });
  const answer = trust(received, { id, mac, target }, options);
  if (expected.has(answer.rcode)) return answer;
  if (isRefusalCode(answer.rcode)) throw refusalError({ code: answer.rcode, tsig: undefined }, target);
  throw new Error(`name server ${target.server}: ${rcodeName(answer.rcode)} for ${about}`);
}

/** Creates a client of one name server, which keeps no connection open. */
export const nameServer = (options: NameServerOptions): NameServer => ({
  async update(zone, { prerequisites, changes }, signal) {
    const questions = [{ name: zone, type: type.SOA, class: cls.IN }];
    const request = { opcode: opcode.UPDATE, questions, answers: prerequisites, authority: changes };
    return (await ask({ request, about: zone, signal }, options)).rcode;
  },
  async lookup(name, recordType, signal) {
    const questions = [{ name, type: recordType, class: cls.IN }];
    const request = { opcode: opcode.QUERY, questions, answers: [], authority: [] };
    const { answers } = await ask({ request, about: name, signal }, options);
    return answers.filter((record) => record.type === recordType);
  },
});
