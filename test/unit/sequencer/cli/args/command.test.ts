import test from 'ava';
import { UserError } from '../../../../../sdk/index.ts';
import {
  type Command,
  collectorOf,
  countOf,
  durationOf,
  helpOf,
  parseCommand,
  portOf,
  ringOf,
} from '../../../../../sequencer/cli/args/command.ts';

const command: Command = {
  name: 'try',
  summary: 'for tests',
  operands: '[FILE]...',
  options: {
    once: { type: 'boolean', description: 'one time' },
    kubeconfig: { type: 'string', value: 'FILE', description: 'where' },
    orphan: { type: 'string', value: 'NAME', description: 'which', multiple: true },
    level: { type: 'string', value: 'LEVEL', description: 'how much', choices: ['low', 'high'] },
  },
  examples: [['sequencer try a.yaml', 'does it']],
  run: async () => 0,
};
const parse = (...args: readonly string[]) => parseCommand(command, args);

test('options, lists, flags and files are told apart', (t) => {
  const { values, lists, flags, operands } = parse(
    '--once',
    'a.yaml',
    '--kubeconfig=k',
    '--orphan',
    'x',
    '--orphan',
    'y',
    '-',
  );
  t.is(values.kubeconfig, 'k');
  t.deepEqual(lists.orphan, ['x', 'y']);
  t.deepEqual([...flags], ['once']);
  t.deepEqual(operands, ['a.yaml', '-']);
});

test('everything after -- is a file', (t) => {
  t.deepEqual(parse('--', '--once').operands, ['--once']);
});

const refused: readonly (readonly [title: string, args: readonly string[], message: string, hint: string])[] = [
  ['an option that was misspelt', ['--kubconfig', 'k'], 'unknown option --kubconfig', 'did you mean --kubeconfig?'],
  ['the beginning of an option', ['--kube', 'k'], 'unknown option --kube', 'did you mean --kubeconfig?'],
  ['an unknown option', ['--wholly-other'], 'unknown option --wholly-other', 'sequencer try --help'],
  ['a member of every object', ['--constructor'], 'unknown option --constructor', 'sequencer try --help'],
  [
    'an option without its value',
    ['--kubeconfig'],
    '--kubeconfig needs a value: --kubeconfig FILE',
    'sequencer try --help',
  ],
  ['a flag with a value', ['--once=yes'], '--once takes no value', 'sequencer try --help'],
  [
    'a value that is not a choice',
    ['--level', 'middle'],
    '--level is one of low, high; found "middle"',
    'sequencer try --help',
  ],
  ['a misspelt choice', ['--level', 'hihg'], '--level is one of low, high; found "hihg"', 'did you mean high?'],
];
for (const [title, args, message, hint] of refused)
  test(`${title} is refused, with what to do`, (t) => {
    t.throws(() => parse(...args), { code: 'E#2001', message: `sequencer try: ${message}` });
    t.like(
      t.throws(() => parse(...args)),
      { hint },
    );
  });

test('a command that takes no files refuses them', (t) => {
  const { operands: _, ...none } = command;
  t.throws(() => parseCommand(none, ['a.yaml']), {
    code: 'E#2001',
    message: 'sequencer try: unexpected argument "a.yaml"',
  });
});

test('the help shows usage, every option and every example, aligned', (t) => {
  t.is(
    helpOf(command),
    `sequencer try: for tests

Usage
  sequencer try [OPTION]... [FILE]...

Options
  --once             one time
  --kubeconfig FILE  where
  --orphan NAME      which
  --level LEVEL      how much

Examples
  sequencer try a.yaml  does it
`,
  );
});

test('durations are read with their unit, seconds without', (t) => {
  const read = (text: string) => durationOf('try', 'timeout', text);
  t.deepEqual(['90', '90s', '500ms', '5m', '1.5h'].map(read), [90_000, 90_000, 500, 300_000, 5_400_000]);
  for (const wrong of ['', 'soon', '-1s', '1d']) t.throws(() => read(wrong), { code: 'E#2001' }, wrong);
});

test('ports are whole numbers that a socket can have', (t) => {
  t.is(portOf('try', 'port', '6443'), 6443);
  for (const wrong of ['65536', '-1', 'http', '1.5'])
    t.throws(() => portOf('try', 'port', wrong), { code: 'E#2001' }, wrong);
});

test('counts are whole and at least one', (t) => {
  t.is(countOf('try', 'workers', '3'), 3);
  for (const wrong of ['0', '-1', '1.5', 'many'])
    t.throws(() => countOf('try', 'workers', wrong), { code: 'E#2001' }, wrong);
});

test('a ring is named as a label can be, and is not for a leader', (t) => {
  t.is(ringOf('try', 'blue.ring-1'), 'blue.ring-1');
  const refused = (text: string, flags: readonly string[], message: RegExp) =>
    t.throws(() => ringOf('try', text, new Set(flags)), { instanceOf: UserError, code: 'E#2001', message });
  refused('Blue', [], /--shards needs a name of at most 63 of a-z, 0-9, - and \., such as blue; found "Blue"/);
  refused('blue', ['leader-elect'], /--shards and --leader-elect exclude each other/);
});

test('the address of a collector is http or https without credentials, with headers of OpenTelemetry’s variable', (t) => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team = shop,,odd=%zz' };
  t.deepEqual(collectorOf('try', 'http://collector:4318', env), {
    otlp: {
      url: 'http://collector:4318',
      headers: { authorization: 'Bearer a=b', 'x-team': 'shop', odd: '%zz' },
    },
  });
  t.deepEqual(collectorOf('try', undefined, env), {});
  for (const text of ['collector', 'grpc://collector:4317', 'http://me:secret@collector', 'http://collector?key=1'])
    t.throws(() => collectorOf('try', text, {}), { instanceOf: UserError, code: 'E#2001', message: /--otlp needs/ });
});
