import test from 'ava';
import { components } from '../../integrations/components/index.ts';
import { createMemoryDnsProvider, memoryDns } from '../../integrations/memory/dns.ts';
import { DefiniteError } from '../../sdk/index.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';
import { type SubjectFor, testIntegration } from './index.ts';

const named =
  (name: string) =>
  (title: string, run: (context?: unknown) => Promise<void>): void =>
    test(`${name} ${title}`, run);

const dnsSpec = (subdomain: string) => ({
  networking: {
    dns: { zone: 'example.com' },
    ingress: { className: 'nginx', rules: [{ name: 'web', subdomain, path: '/', component: 'web', network: 'http' }] },
  },
});

testIntegration(named('memory-dns'), ({ clock }) => {
  const provider = createMemoryDnsProvider({ clock });
  return {
    integration: memoryDns({ provider }),
    spec: dnsSpec('www'),
    edited: dnsSpec('shop'),
    remote: () => provider.records().map(({ type, name, target }) => `${type} ${name} ${target}`),
    failNext: (how) => provider.failNext(how === 'refused' ? 'refused' : 'lost after'),
  };
});

const component = (name: string, port: number) => ({
  name,
  template: { containers: [{ name, image: name }] },
  networks: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' as const }],
});

testIntegration(named('components'), ({ cluster }) => ({
  integration: components(),
  spec: { components: [component('web', 80), { ...component('db', 5432), dependsOn: [] }] },
  edited: { components: [component('web', 81)] },
  remote: () =>
    ['Pod', 'Service'].flatMap((kind) =>
      cluster
        .list({ apiVersion: 'v1', kind }, 'default')
        .map(
          ({ metadata, spec }) =>
            `${kind} ${metadata.name} ${JSON.stringify((spec as { ports?: { port: number }[] }).ports?.map(({ port }) => port))}`,
        ),
    ),
}));

for (const identity of ['name', 'tag', 'key', 'opaque'] as const) {
  const subjectFor: SubjectFor = () => {
    const party = aThirdParty();
    return {
      integration: boxKeeper(party.resource(identity)),
      spec: { integrations: { boxes: { a: 1, b: 1 } } },
      edited: { integrations: { boxes: { a: 2, c: 1 } } },
      remote: () => party.boxes.map(({ name, size }) => `${name} of size ${size}`),
      failNext: (how) =>
        party.faults.push({
          call: 'create',
          carriedOut: how === 'lost',
          error: how === 'refused' ? new DefiniteError('no') : new Error('reset'),
        }),
      mayAsk: identity === 'opaque' || identity === 'key',
    };
  };
  testIntegration(named(`a resource of identity ${identity}`), subjectFor);
}
