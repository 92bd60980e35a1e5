import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { podSecurityLevels } from '../../../../integrations/components/pod-security-standards.ts';
import { podSpecOf } from '../../../../integrations/components/pod-spec.ts';
import { excessiveQuantity } from '../../../../integrations/components/quantities.ts';
import { aWorkspace } from '../../a-workspace.ts';

const huge = '1e999999999';
const never = () => false;
const container = (more: object) => ({ containers: [{ name: 'web', image: 'web', ...more }] });

const places: readonly (readonly [path: string, spec: object])[] = [
  ['containers[0].resources.limits.cpu', container({ resources: { limits: { cpu: huge } } })],
  ['containers[0].resources.requests.memory', container({ resources: { requests: { cpu: '1', memory: huge } } })],
  [
    'containers[0].env[0].valueFrom.resourceFieldRef.divisor',
    container({ env: [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: huge } } }] }),
  ],
  ['initContainers[0].resources.limits.cpu', { initContainers: [{ resources: { limits: { cpu: huge } } }] }],
  ['resources.limits.cpu', { resources: { limits: { cpu: huge } } }],
  ['overhead.cpu', { overhead: { cpu: huge } }],
  ['volumes[0].emptyDir.sizeLimit', { volumes: [{ name: 'a', emptyDir: { sizeLimit: huge } }] }],
  [
    'volumes[0].downwardAPI.items[0].resourceFieldRef.divisor',
    { volumes: [{ downwardAPI: { items: [{ resourceFieldRef: { divisor: huge } }] } }] },
  ],
  [
    'volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage',
    { volumes: [{ ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: huge } } } } } }] },
  ],
];

for (const [path, spec] of places)
  test(`a huge exponent is reported by its field: ${path}`, (t) => {
    t.is(excessiveQuantity(spec, never), `template.${path}: must have an exponent of at most 99, not "${huge}"`);
  });

for (const amount of [huge, '1E999999999', '1e-999999999', '+1e+000100', ' 1e100 ', '1e99999999999999999999', 1e300])
  test(`${JSON.stringify(amount)} is out of bounds`, (t) => {
    t.regex(excessiveQuantity({ overhead: { cpu: amount } }, never) ?? '', /an exponent of at most 99/);
  });

test('a quantity of very many digits is out of bounds, and told in short', (t) => {
  for (const amount of ['9'.repeat(400_000), `0.${'0'.repeat(100)}1`, `1e${'9'.repeat(100_000)}`]) {
    const told = excessiveQuantity({ overhead: { cpu: amount } }, never) ?? '';
    t.regex(told, /^template\.overhead\.cpu: must have at most 64 characters, not "/);
    t.true(told.length < 250, told);
  }
});

for (const amount of ['100m', '1.5Gi', '1e3', '1E18', '1e99', '9223372036854775807', '', 'many', 0.5, 1e21, null, true])
  test(`${JSON.stringify(amount)} is left to the API server`, (t) => {
    t.is(excessiveQuantity({ overhead: { cpu: amount } }, never), undefined);
  });

test('texts that are not quantities may look like one', (t) => {
  const spec = { ...container({ args: [huge], env: [{ name: 'a', value: huge }] }), nodeSelector: { limits: huge } };
  t.is(excessiveQuantity(spec, never), undefined);
});

test('no level of the Pod Security Standards lets it pass', (t) => {
  for (const podSecurity of podSecurityLevels)
    t.like(podSpecOf({ overhead: { cpu: huge } }, { podSecurity, serviceAccounts: ['default'] }), {
      kind: 'mistake',
      reason: `template.overhead.cpu: must have an exponent of at most 99, not "${huge}"`,
    });
});

test('the webhook refuses it by field; what is not there yet is not judged', (t) => {
  const template = (cpu: string) => container({ resources: { limits: { cpu } } }) as never;
  const mistakesOf = (cpu: string) =>
    components().validate?.(aWorkspace({ spec: { components: [{ name: 'web', template: template(cpu) }] } }));
  t.like(mistakesOf(huge), [{ field: 'spec.components[0].template.containers[0].resources.limits.cpu' }]);
  t.deepEqual(mistakesOf('${outputs::Database.cpu}'), []);
  t.deepEqual(mistakesOf(`${'${outputs::Database.cpu}'.repeat(9)}`), []);
});
