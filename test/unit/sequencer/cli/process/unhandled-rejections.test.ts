import { EventEmitter } from 'node:events';
import test from 'ava';
import { logUnhandledRejections } from '../../../../../sequencer/cli/process/unhandled-rejections.ts';

test('each rejection is logged as an error, whatever was thrown, until it is disposed', (t) => {
  const source = new EventEmitter();
  const logged: string[] = [];
  const logger = {
    error: ({ err }: { readonly err: Error }, text: string) => void logged.push(`${err.message}: ${text}`),
  };
  {
    using _rejections = logUnhandledRejections(logger as never, source as never);
    source.emit('unhandledRejection', new Error('lost'));
    source.emit('unhandledRejection', undefined);
  }
  t.is(source.listenerCount('unhandledRejection'), 0);
  t.is(logged.length, 2);
  t.regex(logged[0] ?? '', /^lost: a promise was rejected that nothing awaits/);
});
