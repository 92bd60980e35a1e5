/** JetStream stream in memory, held to the real one by `jetstream.real.ts`. */

import type { JetStream, StreamMessage } from '../../../../integrations/notify/nats.ts';
import type { Clock } from '../../../../sdk/index.ts';
import type { ReadMessage } from './a-reader.ts';

/** Stream with its messages. */
export interface MemoryStream extends JetStream {
  readonly messages: readonly StreamMessage[];
}

/** Creates an empty stream that remembers ids for some ms. */
export function createMemoryStream(clock: Pick<Clock, 'monotonic'>, duplicateWindow = 86_400_000): MemoryStream {
  const messages: StreamMessage[] = [];
  const seen = new Map<string, { readonly sequence: number; readonly at: number }>();
  return {
    messages,
    async publish(message) {
      const former = seen.get(message.id);
      if (former !== undefined && clock.monotonic() - former.at < duplicateWindow) return { sequence: former.sequence };
      messages.push(structuredClone(message));
      seen.set(message.id, { sequence: messages.length, at: clock.monotonic() });
      return { sequence: messages.length };
    },
  };
}

/** Reads a message with the payload of the tests. */
export const readMessage = ({ payload }: Pick<StreamMessage, 'payload'>): ReadMessage => JSON.parse(payload);
