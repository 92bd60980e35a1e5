import test from 'ava';
import { dnsNameRule } from '../../../../integrations/dns/allowed-names.ts';
import { dnsIntegration } from '../../../../integrations/dns/integration.ts';
import { DriftSchedule } from '../../../../integrations/drift-schedule.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';

const setup = {
  backend: { apply: async () => undefined },
  allows: dnsNameRule('dns', {}),
  driftSchedule: new DriftSchedule({ name: 'dns', clock: systemClock }),
};

test('a backend becomes an integration of the condition DNS, for workspaces with a zone', (t) => {
  const integration = dnsIntegration({ ...setup, name: 'some-dns', secrets: ['a-secret'], limits: { rate: 1 } });
  t.like(integration, { name: 'some-dns', condition: 'DNS', secrets: ['a-secret'], limits: { rate: 1 } });
  t.true(integration.handles(aWorkspace({ spec: specOf('shop') })));
  t.false(integration.handles(aWorkspace({ spec: {} })));
});

test('limits that cannot be are refused', (t) => {
  t.throws(() => dnsIntegration({ ...setup, name: 'some-dns', limits: { rate: 0 } }), {
    instanceOf: TypeError,
    message: /some-dns.*rate/,
  });
});
