import test from 'ava';
import { createMemoryDnsProvider, memoryDns } from '../../../integrations/memory/dns.ts';
import { DefiniteError, ThrottledError } from '../../../sdk/index.ts';
import {
  type Failures,
  type IntegrationContext,
  type Subject,
  type TestFunction,
  testIntegration,
} from '../../compliance/index.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../sdk/provider/a-third-party.ts';

const named = (name: string): TestFunction =>
  Object.assign((title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${name} ${title}`, run), {
    skip: (title: string, run: (context?: unknown) => Promise<void>) => test.serial.skip(`${name} ${title}`, run),
  });

/** Failures of a third party whose client throws the SDK's errors. */
const failures: Failures = {
  definite: () => new DefiniteError('no'),
  ambiguous: () => new Error('reset'),
  throttled: () => new ThrottledError('slow down', 2_000),
};

const dnsSpec = (subdomain: string) => ({
  networking: {
    dns: { zone: 'example.com' },
    ingress: { className: 'nginx', rules: [{ name: 'web', subdomain, path: '/', component: 'web', network: 'http' }] },
  },
});

testIntegration(named('memory-dns'), {
  identity: 'name',
  spec: dnsSpec('www'),
  edited: dnsSpec('shop'),
  failures,
  sameName: 'exclusive',
  drift: 'fixed',
  start({ clock }) {
    const provider = createMemoryDnsProvider({ clock });
    return {
      integration: (run) =>
        memoryDns({ provider: run.through(provider), driftInterval: 60_000, clock: run.clock, random: () => 0.5 }),
      causeDrift: () => provider.erase('www.example.com'),
      remote: () => provider.records().map(({ type, name, target }) => `${type} ${name} ${target}`),
    };
  },
});

/** Returns a resource whose calls the kit observes. */
function seen({ through }: IntegrationContext, resource: ReturnType<ThirdParty['resource']>): typeof resource {
  const { create, update, delete: remove, observe } = through(resource);
  const find = resource.find && { find: through(resource).find };
  return { ...resource, create, update, delete: remove, observe, ...find } as typeof resource;
}

const wanted = {
  tag: [
    { a: 1, b: 1 },
    { a: 2, c: 1 },
  ],
  name: [{ a: 1 }, { a: 2 }],
  key: [{ a: 1 }, { a: 2 }],
  opaque: [{ a: 1 }, { a: 2, b: 1 }],
};

for (const identity of ['name', 'tag', 'key', 'opaque'] as const) {
  const [boxes, others] = wanted[identity];
  const looks = identity !== 'tag';
  const subject: Subject = {
    identity,
    spec: { integrations: { boxes } },
    edited: { integrations: { boxes: others } },
    failures,
    sameName: identity === 'name' ? 'exclusive' : 'separate',
    ...(looks && { drift: 'fixed' }),
    cannot: { unhandled: 'every workspace asks for it' },
    start() {
      const party = aThirdParty();
      return {
        integration: (run) => boxKeeper(seen(run, party.resource(identity, looks ? { driftInterval: 60_000 } : {}))),
        causeDrift: () => void party.boxes.pop(),
        remote: () => party.boxes.map(({ id, name, size }) => ({ id, what: `${name} of size ${size}` })),
      };
    },
  };
  testIntegration(named(`a resource of identity ${identity}`), subject);
}
