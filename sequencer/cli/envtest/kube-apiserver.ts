import { aborted, messageOf, systemClock, UserError } from '../../../sdk/index.ts';
import { clusterFor, clusterOptions } from '../cluster-options.ts';
import { type Command, commonOptions } from '../command.ts';
import { namedControllers } from '../controllers.ts';
import { createInterrupt } from '../interrupt.ts';
import { serverFlagsOf, unheeded } from './server-flags.ts';
import { serverSetupOf } from './server-setup.ts';

/** `sequencer kube-apiserver`: accepts the flags of the real one. */
export const kubeApiserver: Command = {
  name: 'kube-apiserver',
  summary: 'stand-in of kube-apiserver for test suites: see sequencer envtest',
  operands: '-- [FLAG]...',
  options: { ...clusterOptions, ...commonOptions },
  examples: [['sequencer kube-apiserver -- --secure-port=6443', 'as envtest starts it']],
  async run({ values: { controllers, version }, operands }) {
    using interrupt = createInterrupt({ source: process, clock: systemClock, exit: () => process.exit(130) });
    const flags = serverFlagsOf(operands);
    const passedOver = unheeded(flags);
    if (passedOver.length > 0) process.stderr.write(`kube-apiserver: ignored: ${passedOver.join(', ')}\n`);
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
