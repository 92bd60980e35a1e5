/** Rejections that nothing awaits: those of one plug-in end no process. */

import type { Logger } from 'pino';
import { errorOf } from '../../../sdk/index.ts';
import { framesOfAuthor } from '../output/author-frames.ts';

/** Source of rejections: `process`, or a test double. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

const unawaited = 'a promise was rejected that nothing awaits: await it, or catch its error; the process continues';

/**
 * Logs each rejected promise that nothing awaits, until disposed: an error with the lines of its stack in the author's code. Without it Node ends the
 * process, and with it the work for all workspaces.
 */
export function logUnhandledRejections(logger: Pick<Logger, 'error'>, source: RejectionSource = process): Disposable {
  const onRejection = (reason: unknown): void => {
    const err = errorOf(reason);
    const at = framesOfAuthor(err.stack ?? '');
    logger.error({ err, ...(at.length > 0 && { at }) }, unawaited);
  };
  source.on('unhandledRejection', onRejection);
  return { [Symbol.dispose]: () => void source.off('unhandledRejection', onRejection) };
}
