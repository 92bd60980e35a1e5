import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import { testIntegration } from '../../../compliance/index.ts';
import type { CaseCost } from '../benchmarks/kit.ts';
import { say } from './dialogue.ts';

// All cases of the kit, one after the other.
const spec = (subdomain: string) => ({
  networking: {
    dns: { zone: 'example.com' },
    ingress: { className: 'nginx', rules: [{ name: 'web', subdomain, path: '/', component: 'web', network: 'http' }] },
  },
});

const cases: { readonly title: string; readonly run: () => unknown }[] = [];
testIntegration((title, run) => void cases.push({ title, run }), {
  identity: 'name',
  spec: spec('www'),
  edited: spec('shop'),
  sameName: 'exclusive',
  failures: {
    definite: () => new DefiniteError('no'),
    ambiguous: () => new Error('reset'),
    throttled: () => new ThrottledError('later', 2_000),
  },
  start(host) {
    const provider = createMemoryDnsProvider({ clock: host.clock });
    return {
      integration: ({ through, clock, random }) => memoryDns({ provider: through(provider), clock, random }),
      remote: () => provider.records().map(({ type, name, target }) => `${type} ${name} ${target}`),
    };
  },
});

const costs: CaseCost[] = [];
for (const { title, run } of cases) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  costs.push({ title, cpuMs: (user + system) / 1000 });
}
say(costs);
