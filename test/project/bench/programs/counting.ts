import { type Client, ConflictError, InvalidError } from '../../../../sdk/index.ts';
import type { Tally } from './tally.ts';

const isConflict = (error: unknown): boolean => error instanceof ConflictError || error instanceof InvalidError;

/** The same client; counts each successful write. */
export function counting(client: Client, tally: Pick<Tally, 'write' | 'ready'>): Client {
  const counted = async <T>(write: Promise<T>): Promise<T> => {
    const answer = await tally.write(write, isConflict);
    tally.ready();
    return answer;
  };
  return {
    ...client,
    server: client.server,
    create: (...call) => counted(client.create(...call)),
    update: (...call) => counted(client.update(...call)),
    patch: (...call) => counted(client.patch(...call)),
  };
}
