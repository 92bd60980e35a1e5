import test from 'ava';
import { SecretRegistry } from '../../../../../sdk/index.ts';
import { createLogger, logText, sinkOf } from '../../../../../sequencer/cli/output/log.ts';

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

test('no secret is logged: known ones, credentials in URLs and headers, members named as such', async (t) => {
  const lines: string[] = [];
  const secrets = new SecretRegistry();
  secrets.add('tsig-secret');
  const logger = await createLogger('warn', { write: (line) => void lines.push(line) }, secrets);
  const url = 'https://admin:pass@host/?api_key=abc';
  const err = Object.assign(new Error(`${url} says no to tsig-secret`, { cause: new Error(url) }), {
    config: { headers: { Authorization: 'Bearer abcdef' }, url },
  });
  logger.child({ password: 'child' }).warn({ err, url, token: 'member' }, `told ${url}`);
  t.is(lines.length, 1);
  for (const text of ['admin', 'pass@', 'abc', 'tsig', 'child', 'member']) t.false(lines[0]?.includes(text), text);
  t.like(JSON.parse(lines[0]!), { msg: 'told https://***@host/?api_key=***', password: '***', token: '***' });
});

test('an error is logged under its own name, whatever its class is called', async (t) => {
  const lines: string[] = [];
  const logger = await createLogger('warn', { write: (line) => void lines.push(line) });
  const renamed = class extends Error {
    override readonly name = 'ConflictError';
  };
  logger.warn({ err: new renamed('no') }, 'trouble');
  logger.warn({ err: 'a text' }, 'trouble');
  t.is(JSON.parse(lines[0]!).err.type, 'ConflictError');
  t.is(JSON.parse(lines[1]!).err, 'a text');
});

test('a stack is logged at level debug; above it, only the lines of a mistake in its author’s code', async (t) => {
  const status = { message: 'refused', code: 409 };
  const errors = [
    Object.assign(new Error('no'), { status }),
    new AggregateError([new Error('one')], 'all'),
    new TypeError('a bug'),
  ];
  const logged = async (level: string) => {
    const lines: string[] = [];
    const logger = await createLogger(level, { write: (line) => void lines.push(line) });
    for (const err of errors) logger.error({ err }, 'trouble');
    return lines.map((line) => JSON.parse(line).err);
  };
  const [plain, all, mistake] = await logged('info');
  t.false('stack' in plain);
  t.like(plain.status, status);
  t.false('stack' in plain.status);
  t.deepEqual(all.aggregateErrors, [{ type: 'Error', message: 'one' }]);
  t.regex(mistake.stack, /^at .*log\.test\.ts/);
  t.true(mistake.stack.split('\n').length <= 3);
  for (const { stack, message } of await logged('debug'))
    t.true(stack.includes(message) && stack.includes('\n    at '));
});

test('lines are JSON, or text for people', async (t) => {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  for (const format of ['json', 'text']) (await createLogger('info', sinkOf(format, sink))).info({ tries: 2 }, 'begun');
  t.like(JSON.parse(lines[0]!), { msg: 'begun', tries: 2 });
  t.is(lines[1], 'info begun tries=2\n');
});

test('a line that is not JSON stays as it is', (t) => {
  t.is(logText('plain text\n'), 'plain text');
});

for (const member of ['stack', 'name', 'message'])
  test(`an error whose ${member} throws when it is read is logged all the same`, async (t) => {
    const lines: string[] = [];
    const logger = await createLogger('warn', { write: (line) => void lines.push(line) });
    const err = Object.defineProperty(new Error('lost'), member, {
      get() {
        throw new Error('no');
      },
    });
    t.notThrows(() => logger.warn({ err }, 'trouble'));
    t.regex(JSON.parse(lines[0]!).err.message, /^(?:lost|an error that cannot be read)$/);
  });

const esc = '\u001b';
/** Text of a third party: clears the screen, sets the title, starts a line of its own, and turns the direction of writing. */
const hostile = `no${esc}[2J${esc}]0;title\u0007\nerror all is lost\r\u009b31m\u202eend`;

test('what a third party says steers no terminal and begins no line: as text and as JSON', async (t) => {
  const lines: string[] = [];
  const logger = await createLogger('warn', { write: (line) => void lines.push(line) });
  logger.warn({ err: new Error(hostile), reason: hostile, items: [hostile] }, hostile);
  t.notRegex(logText(lines[0]!), /[\p{Cc}\u202e]/u);
  t.regex(logText(lines[0]!), /^warn no .*title error all is lost .*end/);
  t.notRegex(lines[0]!.trimEnd(), /[\p{Cc}\u202e]/u);
  t.is(JSON.parse(lines[0]!).reason, hostile);
});

test('nor does it by a stack', async (t) => {
  const lines: string[] = [];
  const logger = await createLogger('warn', { write: (line) => void lines.push(line) });
  const stack = `TypeError: no\n    at ${esc}[2Jreconcile (file:///app/acme.ts:6:75)`;
  logger.warn({ err: Object.assign(new TypeError('no'), { stack }) }, 'trouble');
  t.is(logText(lines[0]!), 'warn trouble err=no\n    at [2Jreconcile (file:///app/acme.ts:6:75)');
});

test('an error with all that a third party has answered makes no long line, and hides a secret that is cut', async (t) => {
  const lines: string[] = [];
  const secrets = new SecretRegistry();
  secrets.add('0123456789abcdef');
  const logger = await createLogger('debug', { write: (line) => void lines.push(line) }, secrets);
  const body = `${'x'.repeat(16_376)}0123456789abcdef${'y'.repeat(1_000_000)}`;
  const errors = Array.from({ length: 20_000 }, (_, index) => new Error(`no ${index}`));
  for (const err of [
    new Error(body),
    Object.assign(new Error('no'), { body, list: errors }),
    new AggregateError(errors),
  ]) {
    logger.warn({ err }, 'trouble');
    const line = lines.at(-1) ?? '';
    t.true(line.length < 200_000, `${line.length}`);
    t.false(line.includes('01234567'));
    t.is(JSON.parse(line).msg, 'trouble');
  }
});
