/** The command `sequencer prove`: runs the compliance cases against a server that implements the HTTP hooks. */

import { readFile } from 'node:fs/promises';
import { createInterrupt } from '../../../sdk/host/index.ts';
import { isJsonObject, messageOf, systemClock, UserError } from '../../../sdk/index.ts';
import type { Subject } from '../../../test/compliance/index.ts';
import { type Command, commonOptions, durationOf, type Invocation } from '../args/command.ts';
import { hooksSubject } from './hooks-subject.ts';
import { runProof } from './proof.ts';

/** Variable with the secret that requests are signed with. */
const variable = 'HOOKS_SECRET';

const refuse = (what: string, hint = 'sequencer prove --help'): UserError =>
  new UserError('E#2001', `sequencer prove: ${what}`, { hint });

/** Parses settings. @throws UserError E#2001 */
function settingsOf(option: string, text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const settings: unknown = JSON.parse(text);
    if (isJsonObject(settings)) return { ...settings };
  } catch {
    // reported below
  }
  throw refuse(`--${option} needs an object as JSON, such as '{"size":1}'; found ${JSON.stringify(text.slice(0, 60))}`);
}

function leaseOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const lease = durationOf('prove', 'lease', text);
  if (lease >= 1000 && lease % 1000 === 0) return lease;
  throw refuse(`--lease needs whole seconds; found "${text}"`);
}

/** Reads the certificates of option `--ca`. @throws UserError E#2001 */
async function caOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw refuse(`--ca needs a file that can be read: ${messageOf(error)}`);
  });
}

/** Returns the subject that the arguments name. @throws UserError E#2001 and E#2070 */
async function subjectOf({ operands, values, flags }: Invocation, signal: AbortSignal): Promise<Subject> {
  const [url, second] = operands;
  const secret = process.env[variable];
  if (url === undefined || second !== undefined)
    throw refuse('needs one address', 'sequencer prove http://127.0.0.1:8080');
  if (!secret) throw refuse(`${variable} is not set`, `export ${variable}=whsec_… with the secret of the server`);
  const time = values.time === 'virtual' ? 'virtual' : 'real';
  const wanted = settingsOf('wanted', values.wanted);
  const edited = settingsOf('edited', values.edited);
  const lease = leaseOf(values.lease);
  const ca = await caOf(values.ca);
  try {
    return await hooksSubject({ url, secret, ca, time, lease, wanted, edited, several: flags.has('several'), signal });
  } catch (error) {
    throw error instanceof TypeError ? refuse(error.message) : error;
  }
}

/** `sequencer prove`. */
export const prove: Command = {
  name: 'prove',
  summary: 'prove a server of hooks: failures of each call, a crash after every effect',
  operands: 'URL',
  options: {
    time: {
      type: 'string',
      value: 'CLOCK',
      description: 'real (default), or virtual: minutes become milliseconds, for servers that do everything at once',
      choices: ['real', 'virtual'],
    },
    lease: {
      type: 'string',
      value: 'DURATION',
      description: 'how long a function may take at most (default: 1s in real time)',
    },
    wanted: {
      type: 'string',
      value: 'JSON',
      description: 'what a workspace asks for (default: as the server names it)',
    },
    edited: { type: 'string', value: 'JSON', description: 'what it asks for later (default: as the server names it)' },
    several: { type: 'boolean', description: 'two external objects for each workspace, with names' },
    ca: {
      type: 'string',
      value: 'FILE',
      description: 'certificates to trust as the server’s, as PEM (default: those of the system)',
    },
    match: { type: 'string', value: 'TEXT', description: 'only the cases with this text in their title' },
    help: commonOptions.help,
  },
  examples: [
    ['sequencer prove http://127.0.0.1:8080', `a server that was started to be proved; ${variable} holds its secret`],
    ['sequencer prove http://127.0.0.1:8080 --match crash', 'one case'],
  ],
  async run(invocation) {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    using interrupt = createInterrupt();
    const subject = await subjectOf(invocation, interrupt.signal);
    print(`identity ${subject.identity}, ${subject.time} time`);
    const { proved, failed, skipped, interrupted } = await runProof(subject, {
      match: invocation.values.match,
      clock: systemClock,
      signal: interrupt.signal,
      print,
    });
    if (interrupted !== undefined) {
      const [url] = invocation.operands;
      const line = `interrupted in the case "${interrupted}": what it has made may still be at ${url}\n`;
      await new Promise((written) => process.stdout.write(line, written));
      return process.exit(130); // the current case may keep the process alive
    }
    print(`\n${proved} proved, ${failed} failed, ${skipped} not proved`);
    return failed === 0 ? 0 : 1;
  },
};
