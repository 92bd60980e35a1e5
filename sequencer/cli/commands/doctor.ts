/** `sequencer doctor`: checks an installation, and names the command that helps. */

import { createInterrupt } from '../../../sdk/host/index.ts';
import { createClient, isPod, type Observer, systemClock } from '../../../sdk/index.ts';
import { accessOf } from '../../run/preflight/access.ts';
import { servedKinds } from '../../tenants/tenant-integration.ts';
import { type Command, classNameOf, classOption, commonOptions } from '../args/command.ts';
import { configFileFor, loadOperatorConfig } from '../args/config.ts';
import { connectionOf, connectionOptions } from '../args/connection.ts';
import { labelSelectorFrom } from '../args/selector.ts';
import { runChecks } from '../doctor/checks.ts';
import { codeOf, findingLines, findingsJson } from '../doctor/finding.ts';

/** Records the server's clock and warnings of each response. */
function responseRecorder() {
  let times: { readonly server: number; readonly here: number } | undefined;
  const warnings: string[] = [];
  const observer: Observer = {
    async request(_, work) {
      const answer = await work();
      const server = Date.parse(String(answer.headers.date));
      if (!Number.isNaN(server)) times = { server, here: systemClock.now() };
      if (answer.headers.warning !== undefined) warnings.push(String(answer.headers.warning));
      return answer;
    },
  };
  return { observer, times: () => times, warnings: () => warnings };
}

/** `sequencer doctor`. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'check an installation, and name the command that helps',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      description: 'config file of the operator (default: sequencer.config.ts here, else the example)',
    },
    namespace: { type: 'string', value: 'NAME', description: '--namespace of the operator (default: all)' },
    class: classOption,
    selector: { type: 'string', value: 'LABELS', description: '--selector of the operator (default: all)' },
    'operator-namespace': {
      type: 'string',
      value: 'NAME',
      description: 'where the operator runs (default: sequencer-system)',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      description: 'text or json (default: text)',
      choices: ['text', 'json'],
    },
    ...connectionOptions,
    ...commonOptions,
  },
  examples: [
    [
      'sequencer doctor',
      'connection, clock, definition, rights, leader, webhook, policy, configs of tenants, and what is stuck; exit code 1 for a problem',
    ],
    ['sequencer doctor -o json', 'for programs'],
  ],
  async run({ values }) {
    using interrupt = createInterrupt();
    const file = await configFileFor(values.config);
    const { integrations, runnables, tenantIntegrations } = await loadOperatorConfig(file);
    const { namespace, class: named, 'operator-namespace': operatorNamespace = 'sequencer-system' } = values;
    const className = named === undefined ? undefined : classNameOf('doctor', named);
    const instance = { className, selector: labelSelectorFrom('doctor', values.selector) };
    const { observer, times, warnings } = responseRecorder();
    const client = createClient({ connection: await connectionOf(values), observer });
    try {
      const findings = await runChecks({
        ...instance,
        client,
        signal: interrupt.signal,
        namespace,
        operatorNamespace,
        access: (running) =>
          accessOf({
            ...{ ...instance, ...running, integrations, tenantIntegrations, runnables, leaderElection: true },
            ...{ namespace, operatorNamespace },
          }),
        kinds: servedKinds({ tenantIntegrations, namespace }),
        types: Object.keys(tenantIntegrations),
        registered: new Set(integrations.map(({ name }) => name)),
        isOperator: await isPod(process.env),
        now: () => systemClock.now(),
        times,
        warnings,
      });
      const text = values.output === 'json' ? findingsJson(findings) : findingLines(findings).join('\n');
      process.stdout.write(`${text}\n`);
      return codeOf(findings);
    } finally {
      await client.close();
    }
  },
};
