import { randomInt } from 'node:crypto';
import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { ExchangeError, exchange, type ServerAddress } from './exchange.ts';
import { type Asked, isRefusal, refusalError } from './refusal.ts';
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

/** How one name server is talked to. */
export interface NameServerOptions {
  readonly server: ServerAddress;
  readonly key: TsigKey;
  /** Seconds the server's clock may be off, and how long a request of ours stays valid. */
  readonly fudge: number;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly clock: Clock;
}

/** What is sent: everything but id, flags and signature. */
type Request = Pick<Message, 'opcode' | 'questions' | 'answers' | 'authority'>;

/** The primary of a zone, asked by TCP with signed messages; answers are believed only when their signature holds. */
export interface NameServer {
  /**
   * Sends one atomic update. @returns NOERROR when it was carried out, YXDOMAIN, YXRRSET, NXDOMAIN or NXRRSET when a prerequisite did not hold
   * @throws DefiniteError when nothing has happened, another Error when nobody knows
   */
  update(zone: string, update: Update, signal: AbortSignal): Promise<number>;
  /** The records of one name and type; none when there are none. @throws DefiniteError or Error when it does not say */
  lookup(name: string, recordType: number, signal: AbortSignal): Promise<readonly ResourceRecord[]>;
}

/** The answer, once its signature holds. A refusal is believed without one: servers cannot sign for keys they don't know, and what is refused is sent again. */
function believe(
  bytes: Buffer,
  sent: { readonly id: number; readonly mac: Buffer },
  options: NameServerOptions,
  asked: Asked,
): Message {
  const message = decodeMessage(bytes);
  if (message.id !== sent.id || !message.response)
    throw new Error(`name server ${asked.server}: answered something else`);
  try {
    const tsig = verify(bytes, options.key, options.clock.now() / 1000, sent.mac);
    if (tsig.error !== 0) throw refusalError({ code: message.rcode, tsig }, asked);
    return message;
  } catch (error) {
    if (!(error instanceof TsigError)) throw error;
    if (isRefusal(message.rcode)) throw refusalError({ code: message.rcode, tsig: tsigOf(message) }, asked);
    throw new Error(`name server ${asked.server}: its ${rcodeName(message.rcode)} is not believed: ${error.message}`, {
      cause: error,
    });
  }
}

async function ask(request: Request, zone: string, options: NameServerOptions, signal: AbortSignal): Promise<Message> {
  const { server, key, fudge, clock } = options;
  const asked = { server: `${server.host}:${server.port}`, zone, keyName: key.name, fudge };
  const id = randomInt(0x10000);
  const message = { ...request, id, rcode: 0, response: false, authoritative: false, additional: [] };
  const signed = sign(encodeMessage(message), key, { time: Math.floor(clock.now() / 1000), fudge });
  try {
    const answer = await exchange(server, signed.bytes, { ...options, signal });
    return believe(answer, { id, mac: signed.mac }, options, asked);
  } catch (error) {
    if (error instanceof ExchangeError && !error.sent) throw new DefiniteError(error.message, { cause: error });
    throw error;
  }
}

const expected: ReadonlySet<number> = new Set([
  rcode.NOERROR,
  rcode.YXDOMAIN,
  rcode.YXRRSET,
  rcode.NXDOMAIN,
  rcode.NXRRSET,
]);

function checked(answer: Message, zone: string, { server, key, fudge }: NameServerOptions): Message {
  const asked = { server: `${server.host}:${server.port}`, zone, keyName: key.name, fudge };
  if (expected.has(answer.rcode)) return answer;
  if (isRefusal(answer.rcode)) throw refusalError({ code: answer.rcode, tsig: undefined }, asked);
  throw new Error(`name server ${asked.server}: ${rcodeName(answer.rcode)} for zone ${zone}`);
}

/** Talks to one name server; holds no connection. */
export const nameServer = (options: NameServerOptions): NameServer => ({
  async update(zone, { prerequisites, changes }, signal) {
    const questions = [{ name: zone, type: type.SOA, class: cls.IN }];
    const request = { opcode: opcode.UPDATE, questions, answers: prerequisites, authority: changes };
    return checked(await ask(request, zone, options, signal), zone, options).rcode;
  },
  async lookup(name, recordType, signal) {
    const questions = [{ name, type: recordType, class: cls.IN }];
    const request = { opcode: opcode.QUERY, questions, answers: [], authority: [] };
    const answer = checked(await ask(request, name, options, signal), name, options);
    return answer.answers.filter((record) => record.type === recordType);
  },
});
