import test from 'ava';
import { type Integration, UserError } from '../../../../sdk/index.ts';
import { checkIntegrations, misspeltAfter } from '../../../../sequencer/run/check-integrations.ts';

const integration = (name: string, condition: string, after: readonly string[] = []): Integration => ({
  name,
  condition,
  after,
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});

test('keeps the order given', (t) => {
  const integrations = [integration('b', 'B'), integration('a', 'A', ['B'])];
  t.deepEqual(checkIntegrations(integrations), integrations);
});

test('two of one name are refused', (t) => {
  const error = t.throws(() => checkIntegrations([integration('a', 'A'), integration('a', 'B')]), {
    instanceOf: UserError,
  });
  t.is(error.code, 'E#3001');
  t.is(error.message, 'two integrations are named "a": integrations[0] and integrations[1]');
});

test('a type of tenants that is named like an integration is refused with both places', (t) => {
  const error = t.throws(() =>
    checkIntegrations([integration('b', 'B'), integration('a', 'A'), integration('a', 'C')], 2),
  );
  t.is(error.message, 'two integrations are named "a": integrations[1] and tenantIntegrations["a"]');
});

test('several may have one condition, and wait for all that any of them comes after', (t) => {
  const integrations = [integration('a', 'DNS'), integration('b', 'DNS', ['Tunneling']), integration('c', 'Tunneling')];
  t.deepEqual(checkIntegrations(integrations), integrations);
  const error = t.throws(
    () => checkIntegrations([...integrations.slice(0, 2), integration('c', 'Tunneling', ['DNS'])]),
    {
      instanceOf: UserError,
    },
  );
  t.is(error.message, 'integrations wait for each other in a circle: DNS after Tunneling after DNS');
});

test('a circle is refused, and shown', (t) => {
  const error = t.throws(
    () => checkIntegrations([integration('a', 'A', ['C']), integration('b', 'B', ['A']), integration('c', 'C', ['B'])]),
    { instanceOf: UserError },
  );
  t.is(error.code, 'E#3003');
  t.is(error.message, 'integrations wait for each other in a circle: A after C after B after A');
});

test('an integration that is none is refused by field', (t) => {
  t.throws(() => checkIntegrations([{ ...integration('A b', 'A') }]), {
    instanceOf: TypeError,
    message: /"A b": name must be a DNS label/,
  });
  t.throws(() => checkIntegrations([{ ...integration('a', 'A'), retries: 3 } as Integration]), {
    message: /"a": retries is not an option; known are name, condition/,
  });
  t.throws(() => checkIntegrations([integration('a', 'Ready')]), {
    message: /condition must be a condition type other than Ready/,
  });
  t.throws(() => checkIntegrations([integration('a', 'A', ['A'])]), {
    message: /after must not hold its own condition/,
  });
});

test('a condition in after that nearly is another one’s is reported; one that may be registered elsewhere is not', (t) => {
  t.deepEqual(
    misspeltAfter([integration('components', 'Components'), integration('dns', 'DNS', ['Componentz', 'Tunneling'])]),
    [
      'integration dns: after names Componentz, which is the condition of no registered integration; did you mean Components?',
    ],
  );
});
