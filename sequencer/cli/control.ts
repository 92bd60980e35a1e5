import { createClient, loadConnection, systemClock, UserError } from '../../sdk/index.ts';
import { type Command, commonOptions } from './command.ts';

const actions: Readonly<Record<string, string>> = {
  compact: 'forget history up to now: older watches and pages are told that they are too late',
};

/** `sequencer control`. */
export const control: Command = {
  name: 'control',
  summary: 'control a running in-memory cluster, started with `sequencer cluster --control`',
  operands: Object.keys(actions).join('|'),
  options: {
    kubeconfig: { type: 'string', value: 'FILE', description: 'the one that `sequencer cluster` wrote' },
    ...commonOptions,
  },
  examples: Object.entries(actions).map(([name, does]) => [
    `sequencer control --kubeconfig dev.kubeconfig ${name}`,
    does,
  ]),
  async run({ values: { kubeconfig }, operands }) {
    const [action = '', ...rest] = operands;
    if (!Object.hasOwn(actions, action) || rest.length > 0) {
      throw new UserError('E#2001', `sequencer control: what to do is one of ${Object.keys(actions).join(', ')}`, {
        hint: 'sequencer control --help',
      });
    }
    const connection = await loadConnection({
      ...(kubeconfig !== undefined && { kubeconfig }),
      env: process.env,
      clock: systemClock,
    });
    const client = createClient({ connection });
    try {
      process.stdout.write(`${JSON.stringify(await client.raw('POST', `/control/${action}`))}\n`);
    } finally {
      await client.close();
    }
    return 0;
  },
};
