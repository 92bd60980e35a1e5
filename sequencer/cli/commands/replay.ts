/** The command `sequencer replay`: sends the requests of a recording to a server, and compares the responses. */

import { readFile } from 'node:fs/promises';
import { type Connection, messageOf, UserError } from '../../../sdk/index.ts';
import type { Difference, ReplayTarget } from '../../../test/cluster/index.ts';
import { type Command, commonOptions, contextOption } from '../args/command.ts';
import { connectionOf } from '../args/connection.ts';

const singleValues = (headers: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Returns the server with its current credentials. */
async function targetOf(connection: Connection): Promise<ReplayTarget> {
  const { headers, tls } = await connection.credentials({ renew: false, signal: AbortSignal.timeout(10_000) });
  return { server: connection.server, headers: singleValues(headers), tls };
}

const lineOf = ({ line, request, what }: Difference): string => `line ${line}: ${request}\n  ${what}\n`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError('E#2002', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** `sequencer replay`. */
export const replay: Command = {
  name: 'replay',
  summary: 'replay what `sequencer cluster --record` has recorded, and show where a server responds differently',
  operands: 'FILE',
  options: {
    kubeconfig: {
      type: 'string',
      value: 'FILE',
      description: 'kubeconfig of an administrator, who may impersonate',
    },
    context: contextOption,
    ...commonOptions,
  },
  examples: [['sequencer replay story.jsonl --kubeconfig real.kubeconfig', 'exit code 1 for a difference']],
  async run({ values, operands }) {
    const [file, ...others] = operands;
    if (file === undefined || others.length > 0) {
      throw new UserError('E#2001', 'sequencer replay: needs one file', { hint: 'sequencer replay --help' });
    }
    const recording = await textOf(file);
    const connection = await connectionOf(values);
    const { replayRecording } = await import('../../../test/cluster/index.ts');
    const { requests, differences } = await replayRecording(recording, await targetOf(connection)).catch((error) => {
      throw error instanceof TypeError
        ? new UserError('E#2003', `${file}: ${error.message}`, {
            hint: 'name a file that sequencer cluster --record has written',
            cause: error,
          })
        : error;
    });
    for (const difference of differences) process.stdout.write(lineOf(difference));
    process.stdout.write(`${counted(requests, 'request')}, ${counted(differences.length, 'difference')}\n`);
    return differences.length === 0 ? 0 : 1;
  },
};
