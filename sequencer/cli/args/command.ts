/** Commands of the command line: options, parsing and help. */

import { parseArgs } from 'node:util';
import { isRingName, suggestName } from '../../../sdk/host/index.ts';
import { UserError } from '../../../sdk/index.ts';

/** Option of a command, for parsing and for `--help`. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** Short form: `o` for `-o`. */
  readonly short?: string;
  /** Placeholder of the value in the help, such as `FILE`. Strings only. */
  readonly value?: string;
  readonly description: string;
  /** The option may be repeated. */
  readonly multiple?: boolean;
  /** Allowed values. */
  readonly choices?: readonly string[];
}

/** Parsed arguments of a command. */
export interface Invocation {
  /** Values of the string options given. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Values of the repeatable options given. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Boolean options given. */
  readonly flags: ReadonlySet<string>;
  /** Arguments that are not options, such as files. */
  readonly operands: readonly string[];
}

/** Subcommand. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Operands in the form of the help; absent without operands. */
  readonly operands?: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** Runs the command and resolves to its exit code. @throws UserError and the client's errors, reported as one message with exit code 1 */
  run(invocation: Invocation): Promise<number>;
}

/** Options of all commands. */
export const commonOptions = {
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    description: 'trace, debug, info, warn, error or silent; debug shows stack traces as well',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
  },
  help: { type: 'boolean', description: 'show this help' },
} as const satisfies Readonly<Record<string, Option>>;

/** Option that selects a context of a kubeconfig. */
export const contextOption = {
  type: 'string',
  value: 'NAME',
  description: 'context of the kubeconfig (default: the current one)',
} as const satisfies Option;

/** Option for the form of log lines. */
export const logFormatOption = {
  type: 'string',
  value: 'FORMAT',
  description: 'json, one object a line (default), or text, for people',
  choices: ['json', 'text'],
} as const satisfies Option;

/** Option that selects the workspaces of a class. */
export const classOption = {
  type: 'string',
  value: 'NAME',
  description: 'only workspaces with this spec.className (default: those without one)',
} as const satisfies Option;

/** Parses the name of a class. @throws UserError E#2001 */
export function classNameOf(command: string, text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(text)) return text;
  throw refuse(
    command,
    `--class needs a name of at most 40 letters, digits and hyphens, such as blue; found "${text}"`,
  );
}

/** Option that runs the replicas as shards of a ring. */
export const shardsOption = {
  type: 'string',
  value: 'RING',
  description: 'run the replicas as shards of this ring, which all walk, instead of one leader',
} as const satisfies Option;

/** Parses the name of a ring. @throws UserError E#2001, also together with the flag for a leader election */
export function ringOf(command: string, text: string, flags: ReadonlySet<string> = new Set()): string {
  if (flags.has('leader-elect'))
    throw refuse(command, '--shards and --leader-elect exclude each other: a ring elects its own leader');
  if (isRingName(text)) return text;
  throw refuse(command, `--shards needs a name of at most 63 of a-z, 0-9, - and ., such as blue; found "${text}"`);
}

/** Decodes a percent-encoded text; an invalid one is returned unchanged. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parses the address of a collector; undefined without one. Headers have the format of OTEL_EXPORTER_OTLP_HEADERS: `name=value`, separated by commas.
 * @throws UserError E#2001
 */
export function collectorOf(
  command: string,
  text: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { readonly otlp?: { readonly url: string; readonly headers: Readonly<Record<string, string>> } } {
  if (text === undefined) return {};
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw refuse(
      command,
      '--otlp needs the address of a collector, such as http://collector:4318, without credentials',
    );
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').map((pair) => pair.split('='));
  const named = pairs.filter(([name = '']) => name.trim() !== '');
  const headers = named.map(([name = '', ...value]) => [name.trim(), decodePercent(value.join('=').trim())] as const);
  return { otlp: { url: text, headers: Object.fromEntries(headers) } };
}

/** Options of `sequencer dev` and `sequencer plan`, which read workspaces from files. */
export const workspaceOptions = {
  context: contextOption,
  config: {
    type: 'string',
    value: 'FILE',
    description: 'config file with the integrations (default: sequencer.config.ts here, else the example)',
  },
  namespace: { type: 'string', value: 'NAME', description: 'of objects without one (default: the context’s)' },
} as const satisfies Readonly<Record<string, Option>>;

export const refuse = (command: string, what: string, hint?: string): UserError =>
  new UserError('E#2001', `sequencer ${command}: ${what}`, { hint: hint ?? `sequencer ${command} --help` });

/** Returns the hint `did you mean NAME?` with the most similar name; undefined without a similar one. */
export function didYouMeanHint(word: string, names: readonly string[]): string | undefined {
  const meant = word === '' ? undefined : suggestName(word, names);
  return meant && `did you mean ${meant}?`;
}

function checkOption(command: string, option: Option | undefined, token: OptionToken): void {
  const { rawName, value } = token;
  if (option === undefined) throw refuse(command, `unknown option ${rawName}`);
  if (option.type === 'boolean' && value !== undefined) throw refuse(command, `${rawName} takes no value`);
  if (option.type === 'string' && !value) throw refuse(command, `${rawName} needs a value: ${rawName} ${option.value}`);
  if (option.choices !== undefined && !option.choices.includes(value ?? '')) {
    const what = `${rawName} is one of ${option.choices.join(', ')}; found ${JSON.stringify(value)}`;
    throw refuse(command, what, didYouMeanHint(value ?? '', option.choices));
  }
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
}

/** Parses the arguments of a command. @throws UserError E#2001 for an unknown argument, with the closest option */
export function parseCommand(
  { name, options, operands }: Pick<Command, 'name' | 'options' | 'operands'>,
  args: readonly string[],
): Invocation {
  const types = Object.fromEntries(
    Object.entries(options).map(([option, { type, short }]) => [option, { type, ...(short && { short }) }]),
  );
  const { tokens } = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const optionTokens: OptionToken[] = tokens.flatMap((token) =>
    token.kind === 'option' ? [{ name: token.name, rawName: token.rawName, value: token.value }] : [],
  );
  for (const token of optionTokens) {
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const meant = option === undefined ? suggestName(token.name, Object.keys(options)) : undefined;
    if (meant !== undefined) throw refuse(name, `unknown option ${token.rawName}`, `did you mean --${meant}?`);
    checkOption(name, option, token);
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  if (operands === undefined && positionals.length > 0)
    throw refuse(name, `unexpected argument ${JSON.stringify(positionals[0])}`);
  const lists = Map.groupBy(optionTokens, (token) => token.name);
  return {
    values: Object.fromEntries(optionTokens.map((token) => [token.name, token.value])),
    lists: Object.fromEntries([...lists].map(([option, all]) => [option, all.map(({ value = '' }) => value)])),
    flags: new Set(optionTokens.filter((token) => options[token.name]?.type === 'boolean').map((token) => token.name)),
    operands: positionals,
  };
}

/** Formats the help of a command. */
export function helpOf({ name, summary, operands, options, examples }: Command): string {
  const left = Object.entries(options).map(
    ([option, { value, short }]) => `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`,
  );
  const width = Math.max(...left.map((text) => text.length));
  const lines = Object.values(options).map(({ description }, i) => `  ${left[i]!.padEnd(width)}  ${description}`);
  const commands = examples.map(([example]) => example);
  const reach = Math.max(...commands.map((text) => text.length));
  return [
    `sequencer ${name}: ${summary}`,
    '',
    'Usage',
    `  sequencer ${name} [OPTION]...${operands ? ` ${operands}` : ''}`,
    '',
    'Options',
    ...lines,
    '',
    'Examples',
    ...examples.map(([example, does]) => `  ${example.padEnd(reach)}  ${does}`),
    '',
  ].join('\n');
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses `90`, `90s`, `500ms`, `5m` or `1h` into ms. @throws UserError E#2001 */
export function durationOf(command: string, option: string, text: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (amount === undefined) throw refuse(command, `--${option} needs a duration such as 90s or 5m; found "${text}"`);
  return Number(amount) * units[unit]!;
}

/** Parses a port number. @throws UserError E#2001 */
export function portOf(command: string, option: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw refuse(command, `--${option} needs a port from 0 to 65535; found "${text}"`);
  return port;
}

/** Parses a whole number of at least one. @throws UserError E#2001 */
export function countOf(command: string, option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw refuse(command, `--${option} needs a number from 1; found "${text}"`);
  return count;
}
