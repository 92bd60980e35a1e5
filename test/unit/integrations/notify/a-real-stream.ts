/** Stream of a real NATS server, with the least rights that the integration needs. */

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type JetStreamOptions, jetStreamAt } from '../../../../integrations/notify/jetstream.ts';
import type { JetStream, StreamMessage } from '../../../../integrations/notify/nats.ts';
import { type NatsProcess, startNats } from '../../../system/real/nats.ts';
import { password } from './nats-subject.ts';

/** Server with the stream `ENVIRONMENTS`. */
export interface RealStream {
  readonly nats: NatsProcess;
  /** User with the least rights, and its password. */
  readonly user: string;
  readonly password: string;
  /** Operations with the least rights, and a deadline of a second. */
  readonly operations: JetStream;
  /** Returns operations with other options. */
  operationsWith(options: Partial<JetStreamOptions>): JetStream;
  /** Returns all messages in their order. */
  messages(): Promise<readonly StreamMessage[]>;
  /** Deletes all messages; their ids are remembered. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const stream = 'ENVIRONMENTS';
const user = 'sequencer';

/** Rights that the README asks for. */
const rights = { publish: ['environments.>', `$JS.API.STREAM.INFO.${stream}`], subscribe: ['_INBOX.>'] };

/** Starts one whose stream remembers ids for some ms; a mute one stores messages and does not say so. */
export async function startRealStream(duplicateWindow = 86_400_000, isMute = false): Promise<RealStream> {
  const nats = await startNats([{ user, password, rights }]);
  const { address, root } = nats;
  const connection = await connect({ servers: address, user: root.user, pass: root.password });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: stream,
    subjects: ['environments.>'],
    duplicate_window: duplicateWindow * 1e6,
    no_ack: isMute,
  });
  const operationsWith = (options: Partial<JetStreamOptions>): JetStream =>
    jetStreamAt({
      servers: [address],
      credential: { user, password },
      tls: undefined,
      stream,
      duplicateWindow,
      deadline: 1_000,
      ...options,
    });
  return {
    ...{ nats, user, password },
    operations: operationsWith({}),
    operationsWith,
    async messages() {
      const { state } = await manager.streams.info(stream);
      const numbers = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
      const all: StreamMessage[] = [];
      for (const seq of numbers) {
        const found = await manager.streams.getMessage(stream, { seq });
        if (found !== null)
          all.push({ subject: found.subject, id: found.header.get('Nats-Msg-Id'), payload: found.string() });
      }
      return all;
    },
    clear: async () => void (await manager.streams.purge(stream)),
    async close() {
      await connection.close();
      await nats.close();
    },
  };
}
