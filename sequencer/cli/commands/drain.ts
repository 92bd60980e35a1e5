/** `sequencer drain`: deletes the workspaces of an operator before it is uninstalled. */

import { createInterrupt, createSeal, type Seal } from '../../../sdk/host/index.ts';
import { createClient, type Integration, mirrorAnnotation, systemClock, type Workspace } from '../../../sdk/index.ts';
import { unregisteredFinalizers } from '../../engine/finalizers/unregistered-finalizers.ts';
import { createSequencer } from '../../run/sequencer.ts';
import type { TenantIntegrations } from '../../tenants/tenant-integration.ts';
import { type Command, classNameOf, classOption, commonOptions, durationOf } from '../args/command.ts';
import { loadConfig, loadTenantIntegrations } from '../args/config.ts';
import { connectionOf, signingOptions } from '../args/connection.ts';
import { operatorNamespaceOf, requireOperatorSeal } from '../args/operator-key.ts';
import { labelSelectorFrom, selectorOption } from '../args/selector.ts';
import { type DrainOptions, drainWorkspaces, listWorkspaces } from '../drain/drain-workspaces.ts';
import { createLogger } from '../output/log.ts';

/** Reports whether an operator with a key has written a mirror of the workspace. */
function hasSealedMirror({ metadata }: Workspace): boolean {
  const mirrors = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith(mirrorAnnotation('')));
  return mirrors.some(([, text]) => /"seal":"/.test(text));
}

/**
 * Returns the seal to walk with: the operator's, if a mirror has its signature. Without such a mirror, or without integrations and types of tenants, none is
 * needed.
 * @throws UserError E#3011 where it is not to be had
 */
async function sealForWalks(
  integrations: readonly Integration[],
  options: DrainOptions & Pick<DrainWalkOptions, 'operatorNamespace' | 'tenantIntegrations'>,
): Promise<Seal> {
  const calls = integrations.length > 0 || Object.keys(options.tenantIntegrations).length > 0;
  const isNeeded = calls && (await listWorkspaces(options)).some(hasSealedMirror);
  return isNeeded ? requireOperatorSeal(options.client, options.operatorNamespace, 'drain') : createSeal('', []);
}

/** Options of the walks in this process. */
interface DrainWalkOptions {
  /** Namespace of the operator's key. */
  readonly operatorNamespace: string;
  /** Integration types that tenants may configure. */
  readonly tenantIntegrations: TenantIntegrations;
  readonly level: string;
}

/** Walks workspaces in this process while `work` runs. */
async function walkWhile(
  integrations: readonly Integration[],
  options: DrainOptions & DrainWalkOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { client, namespace, className, selector, clock, orphan, operatorNamespace, tenantIntegrations } = options;
  const registered = new Set(integrations.map(({ name }) => name));
  const foreign = (await listWorkspaces(options)).flatMap((workspace) => unregisteredFinalizers(workspace, registered));
  const sequencer = createSequencer({
    client,
    integrations,
    tenantIntegrations,
    operatorNamespace,
    clock,
    seal: await sealForWalks(integrations, options),
    orphan: orphan ? [...new Set(foreign)] : [],
    logger: await createLogger(options.level, process.stderr),
    ...(namespace !== undefined && { namespace }),
    ...(className !== undefined && { className }),
    ...(selector !== undefined && { selector }),
  });
  const stop = new AbortController();
  const running = sequencer.run(stop.signal);
  try {
    await Promise.race([work(), running]);
  } finally {
    stop.abort();
    await running;
  }
}

/** Timeout in ms of the count of remaining workspaces after an interruption. */
const countTimeout = 3000;

/** Returns the message of an interrupted drain: the remaining workspaces and the next step. */
async function interruptedText(options: DrainOptions, walks: boolean): Promise<string> {
  const count = await listWorkspaces({ ...options, signal: AbortSignal.timeout(countTimeout) }).then(
    ({ length }) => (length === 1 ? '1 workspace is left' : `${length} workspaces are left`),
    () => 'the API server does not say how many workspaces are left',
  );
  return walks
    ? `interrupted: ${count}; those that are being deleted wait for an operator: run the same command again`
    : `interrupted: ${count}; the operator completes those that are being deleted: run the same command again for the others`;
}

/** `sequencer drain`. */
export const drain: Command = {
  name: 'drain',
  summary:
    'delete every workspace of a class or selector before an operator is uninstalled, and show what is left and why',
  options: {
    orphan: { type: 'boolean', description: 'keep the external objects, and print their ids' },
    config: {
      type: 'string',
      value: 'FILE',
      description:
        'walk the workspaces in this process, with the integrations of this config file (default: a running operator does)',
    },
    namespace: { type: 'string', value: 'NAME', description: 'only workspaces of this namespace (default: all)' },
    class: classOption,
    selector: selectorOption,
    timeout: { type: 'string', value: 'DURATION', description: 'such as 90s or 1h (default: 10m)' },
    'operator-namespace': {
      ...signingOptions['operator-namespace'],
      description: `${signingOptions['operator-namespace'].description}; with --config`,
    },
    kubeconfig: signingOptions.kubeconfig,
    context: signingOptions.context,
    ...commonOptions,
  },
  examples: [
    ['sequencer drain', 'while the operator still runs'],
    ['sequencer drain --config sequencer.config.js --operator-namespace ops', 'without a running operator'],
    ['sequencer drain --orphan', 'keep all external objects'],
  ],
  async run({ values, flags }) {
    using interrupt = createInterrupt();
    const { config, namespace, class: className, timeout = '10m', 'log-level': level = 'warn' } = values;
    const target = {
      namespace,
      className: className === undefined ? undefined : classNameOf('drain', className),
      selector: labelSelectorFrom('drain', values.selector),
      timeout: durationOf('drain', 'timeout', timeout),
    };
    const integrations = config === undefined ? undefined : await loadConfig(config);
    const tenantIntegrations = config === undefined ? {} : await loadTenantIntegrations(config);
    const connection = await connectionOf(values);
    const client = createClient({ connection });
    const options = {
      ...target,
      client,
      level,
      tenantIntegrations,
      operatorNamespace: operatorNamespaceOf(values, connection),
      orphan: flags.has('orphan'),
      walks: integrations !== undefined,
      clock: systemClock,
      signal: interrupt.signal,
      print: (line: string) => void process.stdout.write(`${line}\n`),
    };
    try {
      const work = () => drainWorkspaces(options);
      await (integrations === undefined ? work() : walkWhile(integrations, options, work));
      const ofClass = className === undefined ? '' : ` of class ${className}`;
      const labelled = target.selector === undefined ? '' : ` with the labels ${target.selector}`;
      options.print(`no workspace${ofClass}${labelled} is left`);
      return 0;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      options.print(await interruptedText(options, integrations !== undefined));
      return 130;
    } finally {
      await client.close();
    }
  },
};
