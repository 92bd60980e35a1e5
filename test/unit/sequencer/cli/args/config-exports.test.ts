import test from 'ava';
import {
  mistakeInRunnables,
  mistakeInTenantIntegrations,
  mistakeInWalkthrough,
} from '../../../../../sequencer/cli/args/config-exports.ts';

const anIntegration = { name: 'a', condition: 'A', handles: () => true, connect: () => ({}) };

for (const [walkthrough, message] of [
  [null, '`walkthrough` must be an object with the functions begin and end; found null'],
  ['story', '`walkthrough` must be an object with the functions begin and end; found "story"'],
  [
    function story() {},
    '`walkthrough` must be an object with the functions begin and end; found the function story: was its function called? Write story({ … })',
  ],
  [
    { begin: async () => {} },
    'walkthrough.end must be a function (stage) => Promise<Record<string, number>>; found undefined',
  ],
  [{ begni: async () => {} }, 'walkthrough has no member begni; did you mean begin?'],
] as const)
  test(`a walkthrough is refused: ${message}`, (t) => {
    t.is(mistakeInWalkthrough(walkthrough), message);
  });

const aRunnable = { name: 'previews', permissions: [], create: () => undefined };
for (const [runnables, message] of [
  [{}, '`runnables` must be an array of runnables; found {}'],
  ['previews', '`runnables` must be an array of runnables; found "previews"'],
  [[anIntegration], 'runnables[0] must be a runnable; found an integration: it belongs into `integrations`'],
  [
    [aRunnable, function previews() {}],
    'runnables[1] must be a runnable; found the function previews: was its function called? Write previews({ … })',
  ],
  [[Promise.reject(new Error('no'))], 'runnables[0] must be a runnable; found a Promise: write `await` before it'],
  [
    [{ runnable: aRunnable }],
    'runnables[0] must be a runnable; found an object that has one: write .runnable after it',
  ],
  [[undefined], 'runnables[0] must be a runnable; found undefined'],
  [
    [{ ...aRunnable, create: 'x' }],
    'runnables[0].create must be a function ({ client, clock, logger }) => runnable; found "x"',
  ],
  [
    [{ ...aRunnable, ports: [70_000] }],
    'runnables[0].ports must be an array of ports from 1 to 65535; found an array of 1',
  ],
  [[{ ...aRunnable, secrets: 'hidden' }], 'runnables[0].secrets must be an array of texts'],
  [[{ ...aRunnable, port: [80] }], 'runnables[0] has no member port; did you mean ports?'],
] as const)
  test(`runnables are refused: ${message}`, (t) => {
    t.is(mistakeInRunnables(runnables), message);
  });

test('a runnable may have members of its own', (t) => {
  const runnables = [{ ...aRunnable, interval: 5 }];
  t.is(mistakeInRunnables(runnables), undefined);
});

for (const [types, message] of [
  [null, '`tenantIntegrations` must be an object of integration types by name; found null'],
  [[anIntegration], '`tenantIntegrations` must be an object of integration types by name; found an array of 1'],
  [
    { acme: 'acme' },
    'tenantIntegrations["acme"] must be an integration type, such as defineTenantIntegration returns; found "acme"',
  ],
] as const)
  test(`types for tenants are refused: ${message}`, (t) => {
    t.is(mistakeInTenantIntegrations(types), message);
  });
