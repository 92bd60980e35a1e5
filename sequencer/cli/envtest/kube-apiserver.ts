/** The stand-in of kube-apiserver that envtest starts. */

import { createInterrupt } from '../../../sdk/host/index.ts';
import { aborted, messageOf, UserError } from '../../../sdk/index.ts';
import { clusterFor, clusterOptions } from '../args/cluster-options.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { namedControllers } from '../args/controllers.ts';
import { ignoredFlags, serverFlagsOf } from './server-flags.ts';
import { serverSetupOf } from './server-setup.ts';

/** `sequencer kube-apiserver`: accepts the flags of the real one. */
export const kubeApiserver: Command = {
  name: 'kube-apiserver',
  summary: 'stand-in of kube-apiserver for test suites: see sequencer envtest',
  operands: '-- [FLAG]...',
  options: { ...clusterOptions, ...commonOptions },
  examples: [['sequencer kube-apiserver -- --secure-port=6443', 'as envtest starts it']],
  async run({ values: { controllers, version }, operands }) {
    using interrupt = createInterrupt();
    const flags = serverFlagsOf(operands);
    const ignored = ignoredFlags(flags);
    if (ignored.length > 0) process.stderr.write(`kube-apiserver: ignored: ${ignored.join(', ')}\n`);
    const { listen, cluster: asked } = await serverSetupOf(flags);
    const chosen = { ...namedControllers(controllers), ...(version !== undefined && { version }) };
    const cluster = await clusterFor('kube-apiserver', { ...asked, ...chosen });
    await cluster.listen(listen).catch((error) => {
      throw new UserError('E#2030', `cannot listen on ${listen.host}:${listen.port}: ${messageOf(error)}`, {
        cause: error,
      });
    });
    await aborted(interrupt.signal);
    await cluster.close();
    return 0;
  },
};
