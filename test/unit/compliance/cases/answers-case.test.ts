import test from 'ava';
import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { answersCase } from '../../../compliance/cases/answers-case.ts';
import type { Subject } from '../../../compliance/index.ts';
import { subjectOf } from '../../../system/flawed-plug-ins/flaw.ts';

const dns: Subject = {
  identity: 'name',
  spec: {
    networking: {
      dns: { zone: 'example.com' },
      ingress: {
        className: 'nginx',
        rules: [{ name: 'web', subdomain: 'www', path: '/', component: 'web', network: 'http' }],
      },
    },
  },
  start({ clock }) {
    const provider = createMemoryDnsProvider({ clock });
    return {
      integration: (run) => memoryDns({ provider: run.through(provider), clock: run.clock, random: run.random }),
      remote: () => provider.records().map(({ type, name, target }) => `${type} ${name} ${target}`),
    };
  },
};

test('a plug-in without requests by run.fetch is not proved, and is reported how to have its answers tried', async (t) => {
  const unproved = await answersCase.prove(dns);
  t.regex(
    unproved ?? '',
    /^no odd answer was tried, .*give run\.fetch to its client .*say so by cannot: \{ answers \}$/,
  );
});

test('one with requests by run.fetch is proved', async (t) => {
  t.is(await answersCase.prove(subjectOf()), undefined);
});
