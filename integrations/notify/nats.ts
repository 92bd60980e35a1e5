/** Integration that notifies programs of environments, by messages in a JetStream stream of NATS. */

import { DefiniteError, type Integration, type Workspace } from '../../sdk/index.ts';
import { type AnnouncementSetup, announcing } from './announcements.ts';
import { type CheckedNatsOptions, checkedNatsOptions, type NatsMessagesOptions } from './nats-options.ts';

export type { AnnouncementMessage, AnnouncementOptions } from './announcement-options.ts';
export type { AnnouncedEnvironment, AnnouncedEvent } from './announcements.ts';
export type { NotifyOptions } from './common-options.ts';
export type { JetStream, NatsCredential, NatsTls, StoredMessage, StreamMessage } from './jetstream.ts';
export type { NatsMessagesOptions } from './nats-options.ts';

/** Longest message in bytes of JSON. */
const maxPayloadLength = 65_536;

/** Returns the subject of a workspace's messages. A dot in its name becomes `_`, which no name has, so that each has a subject of its own. */
const subjectOf = (prefix: string, { metadata }: Workspace, event: string): string =>
  [prefix, metadata.namespace ?? '', metadata.name.replaceAll('.', '_'), event].join('.');

/** Returns an object as JSON; undefined for one that is none, such as one that holds itself. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Returns a message as JSON. @throws DefiniteError naming what is wrong with the answer of option `message` */
function payloadOf(message: unknown): string {
  const expected = 'option message of natsMessages must return an object';
  if (typeof message !== 'object' || message === null) throw new DefiniteError(`${expected}, not ${typeof message}`);
  const payload = jsonOf(message);
  if (payload === undefined) throw new DefiniteError(`${expected} that is JSON`);
  const size = Buffer.byteLength(payload);
  if (size <= maxPayloadLength) return payload;
  throw new DefiniteError(`${expected} of at most ${maxPayloadLength} bytes of JSON, not ${size}`);
}

const setupOf = ({ operations, prefix, message, changes, duplicateWindow }: CheckedNatsOptions): AnnouncementSetup => ({
  identity: { identity: 'key', validForMs: duplicateWindow },
  changes,
  mistakeIn: () => undefined,
  async send({ event, key, signal, ...environment }) {
    const subject = subjectOf(prefix, environment.workspace, event);
    const payload = payloadOf(message(environment, event));
    const { sequence } = await operations.publish({ subject, id: key, payload }, signal);
    return { id: String(sequence) };
  },
});

/**
 * Sends a message to a stream when the environment of a workspace came, has changed or went. Needs the packages `@nats-io/transport-node` and
 * `@nats-io/jetstream`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function natsMessages(options: NatsMessagesOptions): Integration {
  const checked = checkedNatsOptions(options);
  return announcing(checked, setupOf(checked));
}
