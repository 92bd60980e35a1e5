/** The command `sequencer control`: sends a request to the control endpoints of a cluster in memory. */

import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { ApiError, type Client, createClient, messageOf, UserError } from '../../../sdk/index.ts';
import { type Command, commonOptions, didYouMeanHint, durationOf, type Invocation } from '../args/command.ts';
import { connectionOf } from '../args/connection.ts';
import { writePrivate } from '../output/private-file.ts';

/** Request to the cluster, and the output for its response. */
interface ControlRequest {
  readonly path: string;
  readonly body?: object;
  /** Formats the response; by default it is printed as JSON. */
  readonly show?: (answer: unknown) => string | Promise<string>;
}

/** Action of `sequencer control`. */
interface ControlAction {
  /** Names of its operands. */
  readonly operands: readonly string[];
  readonly does: string;
  readonly example: string;
  readonly requestOf: (operands: readonly string[], invocation: Invocation) => ControlRequest | Promise<ControlRequest>;
}

const refuse = (what: string, hint = 'sequencer control --help'): UserError =>
  new UserError('E#2001', `sequencer control: ${what}`, { hint });

const unreadable = (file: string, cause: unknown): UserError =>
  new UserError('E#2002', `cannot read ${file}: ${messageOf(cause)}`, { cause });

async function snapshotIn(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw unreadable(file, error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function writeSnapshot(file: string, answer: unknown): Promise<string> {
  await writePrivate(file, JSON.stringify(answer)).catch((error) => {
    throw new UserError('E#2035', `cannot write ${file}: ${messageOf(error)}`, {
      hint: 'name one in a folder that is there and may be written to',
      cause: error,
    });
  });
  return `${file}: revision ${(answer as { readonly revision: number }).revision}\n`;
}

interface ShownFault {
  readonly id: number;
  readonly sentence: string;
  readonly hits: number;
}

const lineOf = ({ id, sentence, hits }: ShownFault): string => `${id}  ${sentence}  (hits: ${hits})\n`;
const showFault = (answer: unknown): string => lineOf(answer as ShownFault);
const showFaults = (answer: unknown): string =>
  (answer as { readonly faults: readonly ShownFault[] }).faults.map(lineOf).join('') || 'no faults\n';

/** Parses a fault as JSON; any other text is a sentence. */
function faultOf(words: readonly string[]): unknown {
  const text = words.join(' ');
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`the fault is not JSON: ${messageOf(error)}`);
  }
}

interface ShownController {
  readonly name: string;
  readonly mode: string;
  readonly waiting: number;
  readonly wrote?: boolean;
}

const controllerLine = ({ name, mode, waiting }: ShownController): string =>
  `${name.padEnd(21)}  ${mode.padEnd(4)}  (waiting: ${waiting})\n`;
const showController = (answer: unknown): string => controllerLine(answer as ShownController);
const showControllers = (answer: unknown): string =>
  (answer as { readonly controllers: readonly ShownController[] }).controllers.map(controllerLine).join('');

function showStep(answer: unknown): string {
  const { name, wrote, waiting } = answer as ShownController;
  return `${name}: ${wrote ? 'has written something' : 'has nothing to do'} (waiting: ${waiting})\n`;
}

const showRoles = (answer: unknown): string =>
  (answer as { readonly roles: readonly object[] }).roles.map((role) => `---\n${stringify(role)}`).join('');

const actions: Readonly<Record<string, ControlAction>> = {
  compact: {
    operands: [],
    does: 'compact its history: older watches and continue tokens get 410',
    example: 'compact',
    requestOf: () => ({ path: 'compact' }),
  },
  'faults add': {
    operands: ['FAULT...'],
    does: 'add a fault; FAULT is a sentence or JSON: see docs/cluster.md',
    example: 'faults add patch workspaces/status after commit drop, once',
    requestOf: (words) => ({ path: 'faults/add', body: { fault: faultOf(words) }, show: showFault }),
  },
  'faults list': {
    operands: [],
    does: 'list the active faults, and how often each was hit',
    example: 'faults list',
    requestOf: () => ({ path: 'faults/list', show: showFaults }),
  },
  'faults remove': {
    operands: ['ID'],
    does: 'remove one fault; requests that it held back continue',
    example: 'faults remove 1',
    requestOf: ([id]) => ({ path: 'faults/remove', body: { id: Number(id) }, show: showFault }),
  },
  'faults clear': {
    operands: [],
    does: 'remove all faults',
    example: 'faults clear',
    requestOf: () => ({ path: 'faults/clear', show: showFaults }),
  },
  snapshot: {
    operands: ['FILE'],
    does: 'write all objects to a file, Secrets included',
    example: 'snapshot before.json',
    requestOf: ([file = '']) => ({ path: 'snapshot', show: (answer) => writeSnapshot(file, answer) }),
  },
  restore: {
    operands: ['FILE'],
    does: 'restore a snapshot; open watches end with 410',
    example: 'restore before.json',
    requestOf: async ([file = '']) => ({ path: 'restore', body: { snapshot: await snapshotIn(file) } }),
  },
  'controllers list': {
    operands: [],
    does: 'list the controllers with their mode and queue length',
    example: 'controllers list',
    requestOf: () => ({ path: 'controllers/list', show: showControllers }),
  },
  'controllers set': {
    operands: ['NAME', 'MODE'],
    does: 'let a controller run by itself (auto), by steps (step), or not at all (off)',
    example: 'controllers set deployment step',
    requestOf: ([name, mode]) => ({ path: 'controllers/set', body: { name, mode }, show: showController }),
  },
  'controllers step': {
    operands: ['NAME'],
    does: 'let a controller that runs by steps continue until it has written something',
    example: 'controllers step deployment',
    requestOf: ([name]) => ({ path: 'controllers/step', body: { name }, show: showStep }),
  },
  'clock now': {
    operands: [],
    does: 'print its time',
    example: 'clock now',
    requestOf: () => ({ path: 'clock/now' }),
  },
  'clock advance': {
    operands: ['DURATION'],
    does: 'advance its clock: everything that is due until then happens',
    example: 'clock advance 90m',
    requestOf: ([text = '']) => ({ path: 'clock/advance', body: { ms: durationOf('control', 'DURATION', text) } }),
  },
  role: {
    operands: ['NAME'],
    does: 'print the minimal Roles for the requests that --user and --user-agent select',
    example: 'role my-operator --user-agent my-operator',
    requestOf: ([name], { values }) => ({
      path: 'role',
      body: {
        name,
        ...(values.user !== undefined && { user: values.user, subject: { user: values.user } }),
        ...(values['user-agent'] !== undefined && { userAgent: values['user-agent'] }),
      },
      show: showRoles,
    }),
  },
};

const findAction = (words: readonly string[]): readonly [string, ControlAction] | undefined =>
  Object.entries(actions).find(([name]) => `${words.join(' ')} `.startsWith(`${name} `));

const hasExpectedOperands = (operands: readonly string[], expected: readonly string[]): boolean =>
  expected[0]?.endsWith('...') ? operands.length > 0 : operands.length === expected.length;

/** Returns the request for an invocation. @throws UserError E#2001 for an unknown action or wrong operands */
async function requestFor(invocation: Invocation): Promise<ControlRequest> {
  const [name, action] = findAction(invocation.operands) ?? [];
  if (name === undefined || action === undefined) {
    const found = invocation.operands.join(' ');
    const names = Object.keys(actions);
    const [first = '', second = ''] = invocation.operands;
    const hint = didYouMeanHint(`${first} ${second}`.trim(), names) ?? didYouMeanHint(first, names);
    throw refuse(`needs an action, one of ${names.join(', ')}; found ${JSON.stringify(found)}`, hint);
  }
  const rest = invocation.operands.slice(name.split(' ').length);
  if (!hasExpectedOperands(rest, action.operands))
    throw refuse(`usage: sequencer control ${[name, ...action.operands].join(' ')}`);
  return action.requestOf(rest, invocation);
}

/** Explains a 404: the server does not enable control. */
function explainNotFound(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 404) return error;
  const what = `${error.request.server} cannot be controlled (${error.message})`;
  return new UserError('E#2022', what, { hint: 'start it with `sequencer cluster --control`', cause: error });
}

async function sendRequest(client: Client, { path, body = {}, show }: ControlRequest): Promise<void> {
  const answer = await client.raw('POST', `/control/${path}`, body).catch((error) => {
    throw explainNotFound(error);
  });
  process.stdout.write(show === undefined ? `${JSON.stringify(answer)}\n` : await show(answer));
}

/** `sequencer control`. */
export const control: Command = {
  name: 'control',
  summary: 'control a running in-memory cluster, started with `sequencer cluster --control`',
  operands: 'ACTION...',
  options: {
    kubeconfig: { type: 'string', value: 'FILE', description: 'the one that `sequencer cluster` wrote' },
    user: { type: 'string', value: 'NAME', description: 'role: requests of this user; also binds the Roles to it' },
    'user-agent': { type: 'string', value: 'TEXT', description: 'role: requests with TEXT in their User-Agent' },
    ...commonOptions,
  },
  examples: Object.values(actions).map(({ example, does }) => [
    `sequencer control --kubeconfig dev.kubeconfig ${example}`,
    does,
  ]),
  async run(invocation) {
    const request = await requestFor(invocation);
    const connection = await connectionOf(invocation.values);
    const client = createClient({ connection });
    try {
      await sendRequest(client, request);
    } finally {
      await client.close();
    }
    return 0;
  },
};
