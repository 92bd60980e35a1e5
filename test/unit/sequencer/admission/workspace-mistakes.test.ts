import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import type { Integration, WorkspaceSpec } from '../../../../sdk/index.ts';
import { mistakesIn } from '../../../../sequencer/admission/workspace-mistakes.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { someIntegrations } from './some-integrations.ts';

const mistakes = (integrations: Readonly<Record<string, unknown>>) =>
  mistakesIn(aWorkspace({ spec: { integrations } }), someIntegrations);

const right = { database: {}, mail: { from: '${outputs::Database.url}' }, queue: {} };

test('a workspace that can become Ready has no mistakes, though its outputs are not there yet', (t) => {
  t.deepEqual(mistakes(right), { errors: [], notes: [] });
  t.deepEqual(mistakesIn(aWorkspace({ spec: {} }), someIntegrations), { errors: [], notes: [] });
});

for (const [what, integrations, errors] of [
  [
    'settings that break their schema',
    { mail: { from: 1, too: [] } },
    [
      ['spec.integrations.mail.too', 'there is no such field; did you mean to?'],
      ['spec.integrations.mail.from', 'Invalid input: expected string, received number'],
    ],
  ],
  [
    'an output that its integration does not declare',
    { database: {}, mail: { to: ['x', '${outputs::Database.host}'], from: 'a' } },
    [['spec.integrations.mail.to[1]', 'Database.host: integration "database" declares no output host; known are url']],
  ],
  [
    'an output of a condition that the workspace does not ask for',
    { mail: { from: '${outputs::Database.url}' } },
    [['spec.integrations.mail.from', 'Database.url: this workspace asks for no Database']],
  ],
  [
    'an output of a condition that nothing answers for',
    { mail: { from: '${outputs::Bucket.name}' } },
    [
      [
        'spec.integrations.mail.from',
        'Bucket.name: no integration is registered for condition Bucket; known are Database, Queue',
      ],
    ],
  ],
  [
    'a reference that cannot be read',
    { mail: { from: 'see ${outputs::x' } },
    [['spec.integrations.mail.from', '${outputs::x must read ${outputs::CONDITION.NAME}']],
  ],
  [
    'outputs in a circle',
    { database: { of: '${outputs::Queue.url}' }, queue: { of: '${outputs::Database.url}' } },
    [
      [
        'spec.integrations.database',
        'conditions wait for each other’s outputs in a circle: Database after Queue after Database',
      ],
      [
        'spec.integrations.queue',
        'conditions wait for each other’s outputs in a circle: Queue after Database after Queue',
      ],
    ],
  ],
  [
    'a misspelt integration',
    { databse: {} },
    [['spec.integrations.databse', 'no registered integration reads it; did you mean database?']],
  ],
] as const)
  test(`${what} are reported by field, in the words of the condition`, (t) => {
    t.deepEqual(
      mistakes(integrations).errors.map(({ field, message }) => [field, message]),
      errors.map(([field, message]) => [field, message]),
    );
  });

test('two integrations for one condition are reported', (t) => {
  const [mistake, ...others] = mistakes({ queue: {}, rabbit: {} }).errors;
  t.deepEqual(others, []);
  t.regex(mistake!.message, /^integrations "queue" and "rabbit" claim this workspace/);
});

test('a member that no integration looks for, and a bug of a plug-in, are notes', (t) => {
  t.deepEqual(mistakes({ uptime: {}, broken: {} }), {
    errors: [],
    notes: [
      { field: 'spec.integrations.uptime', message: 'no registered integration reads it' },
      { field: 'spec', message: 'integration "broken" (condition Broken): handles must not throw; it threw a bug' },
    ],
  });
});

const shop = (zone: string, template: Readonly<Record<string, unknown>>): WorkspaceSpec => ({
  components: [{ name: 'web', template, networks: [{ name: 'http', port: 80, targetPort: 80, protocol: 'TCP' }] }],
  networking: {
    dns: { zone },
    ingress: { className: 'x', rules: [{ name: 'web', component: 'web', network: 'http', path: '/' }] },
  },
});
const usual = [components(), memoryDns({ names: ['apps.example'] })];

test('a name that is not allowed, and a template that may not run, are reported by field', (t) => {
  const { errors, notes } = mistakesIn(aWorkspace({ spec: shop('other.example', { hostPID: true }) }), usual);
  t.deepEqual(
    errors.map(({ field }) => field),
    ['spec.components[0].template.hostPID', 'spec.networking.ingress.rules'],
  );
  t.regex(errors[1]!.message, /^shop\.other\.example: only names within apps\.example are allowed/);
  t.deepEqual(notes, []);
  t.deepEqual(mistakesIn(aWorkspace({ spec: shop('apps.example', { containers: [] }) }), usual).errors, []);
});

test('a field that its message begins with is reported once', (t) => {
  const { errors } = mistakesIn(aWorkspace({ spec: shop('no zone', {}) }), usual);
  t.deepEqual(errors, [
    {
      field: 'spec.networking.dns.zone',
      message:
        '"no zone" is not the name of a zone: it must have labels of a-z, 0-9, - and _, 63 characters each and 253 in all; others in their form xn--…',
    },
  ]);
});

test('a change is judged though the conditions are those of the spec before', (t) => {
  const conditions = { Components: 'Completed', DNS: 'Completed' } as const;
  const { errors } = mistakesIn(aWorkspace({ spec: shop('other.example', {}), conditions }), usual);
  t.is(errors.length, 1);
});

test('a validate that throws refuses nothing', (t) => {
  const [first, ...others] = usual;
  const broken: Integration = {
    ...first!,
    validate: () => {
      throw new Error('a bug');
    },
  };
  const { errors, notes } = mistakesIn(aWorkspace({ spec: shop('apps.example', {}) }), [broken, ...others]);
  t.deepEqual(errors, []);
  t.regex(notes[0]?.message ?? '', /validate must not throw; it threw a bug/);
});

test('what is refused here ends in Error when it is walked, and what is not does not', async (t) => {
  const target = await aTargetCluster();
  const all = [...someIntegrations, ...usual];
  const actor = target.actor(all);
  const specs: readonly WorkspaceSpec[] = [
    { integrations: right },
    { integrations: { mail: { from: 1 } } },
    { integrations: { mail: { from: '${outputs::Database.url}' } } },
    { integrations: { queue: {}, rabbit: {} } },
    shop('apps.example', { containers: [{ name: 'web', image: 'web' }] }),
    shop('other.example', { containers: [{ name: 'web', image: 'web' }] }),
    shop('apps.example', { hostNetwork: true, containers: [{ name: 'web', image: 'web' }] }),
  ];
  for (const [index, spec] of specs.entries()) {
    const name = `w${index}`;
    await target.create(spec, name);
    await actor.walk(name);
    const workspace = await target.read(name);
    const failed = (workspace.status?.conditions ?? []).filter((one) => one.status === 'Error');
    const { errors } = mistakesIn(workspace, all);
    t.deepEqual(failed.length > 0, errors.length > 0, JSON.stringify(workspace.status?.conditions));
  }
  await target.cluster.close();
});
