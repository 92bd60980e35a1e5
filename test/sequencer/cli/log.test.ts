import test from 'ava';
import { createLogger, logText } from '../../../sequencer/cli/log.ts';

test('lines below the level are not written, the others are JSON', async (t) => {
  const lines: string[] = [];
  const logger = await createLogger('warn', { write: (line) => void lines.push(line) });
  logger.info('quiet');
  logger.child({ workspace: 'default/shop' }).warn({ err: new Error('no'), tries: 2 }, 'trouble');
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0]!), {
    level: 40,
    workspace: 'default/shop',
    tries: 2,
    msg: 'trouble',
    err: { message: 'no' },
  });
  t.is(logText(lines[0]!), 'warn trouble workspace=default/shop err=no tries=2');
});

test('a line that is no JSON stays as it is', (t) => {
  t.is(logText('plain text\n'), 'plain text');
});
