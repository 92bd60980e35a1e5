import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Command, parseCommand } from '../../../sequencer/cli/args/command.ts';
import { commandLinesOf } from './command-lines.ts';
import { blocksOf } from './examples/blocks.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'run' in value && 'options' in value && 'examples' in value;

/** Commands by name, from their modules. */
async function allCommands(): Promise<ReadonlyMap<string, Command>> {
  const modules = globSync('sequencer/cli/{commands,prove,scaffold,envtest}/*.ts', { cwd: root });
  const loaded = await Promise.all(modules.map((path) => import(join(root, path)) as Promise<object>));
  const commands = loaded.flatMap((module) => Object.values(module).filter(isCommand));
  return new Map(commands.map((command) => [command.name, command]));
}

test('command lines are found behind pipes, variables and `--`, and in quoted scripts', (t) => {
  const block = `npm ci && npm start -- --once # sequencer nothing
A=b npx sequencer run --orphan 'a b' > file; helm install sequencer chart
sequencer cluster -- sh -c 'node a.js; K=x sequencer drain'
eval "$(npx sequencer envtest ./bin)"`;
  t.deepEqual(commandLinesOf(block), [
    ['dev', '--once'],
    ['run', '--orphan', 'a b'],
    ['cluster', '--', 'sh', '-c', 'node a.js; K=x sequencer drain'],
    ['drain'],
    ['envtest', './bin'],
  ]);
});

test('each command line of the docs is one that the command line parses', async (t) => {
  const commands = await allCommands();
  const pages = globSync('{*.md,docs/**/*.md,integrations/**/*.md,examples/**/*.md}', { cwd: root });
  const found = pages.flatMap((page) =>
    blocksOf(read(page))
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text, line }) => commandLinesOf(text).map((words) => ({ at: `${page}:${line}`, words }))),
  );
  t.true(found.length > 90, `${found.length}`);
  const refused = found.flatMap(({ at, words: [name = '', ...args] }) => {
    const command = commands.get(name);
    if (command === undefined) return [`${at}: unknown command ${name}`];
    try {
      parseCommand(command, args);
      return [];
    } catch (error) {
      return [`${at}: ${(error as Error).message}`];
    }
  });
  // The example of E#2001 is refused, as it says.
  t.deepEqual(
    refused.map((text) => text.replace(/:\d+: /, ': ')),
    ['docs/errors.md: sequencer dev: unknown option --onse'],
  );
});
