import test from 'ava';
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
    [['spec.integrations.databse', 'no registered integration looks for it; did you mean database?']],
  ],
] as const)
  test(`${what} are told by field, in the words of the condition`, (t) => {
    t.deepEqual(
      mistakes(integrations).errors.map(({ field, message }) => [field, message]),
      errors.map(([field, message]) => [field, message]),
    );
  });

test('two integrations for one condition are told', (t) => {
  const [mistake, ...others] = mistakes({ queue: {}, rabbit: {} }).errors;
  t.deepEqual(others, []);
  t.regex(mistake!.message, /^integrations "queue" and "rabbit" claim this workspace/);
});

test('a member that no integration looks for, and a bug of a plug-in, are notes', (t) => {
  t.deepEqual(mistakes({ uptime: {}, broken: {} }), {
    errors: [],
    notes: [
      { field: 'spec.integrations.uptime', message: 'no registered integration looks for it' },
      { field: 'spec', message: 'integration "broken" (condition Broken): handles must not throw; it threw a bug' },
    ],
  });
});

test('what is refused here ends in Error when it is walked, and what is not does not', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor(someIntegrations);
  const specs = [
    right,
    { mail: { from: 1 } },
    { mail: { from: '${outputs::Database.url}' } },
    { queue: {}, rabbit: {} },
  ];
  for (const [index, integrations] of specs.entries()) {
    const name = `w${index}`;
    await target.create({ integrations }, name);
    await actor.walk(name);
    const { status } = await target.read(name);
    const failed = (status?.conditions ?? []).filter((one) => one.status === 'Error');
    t.is(failed.length > 0, mistakes(integrations).errors.length > 0, JSON.stringify(status?.conditions));
  }
  await target.cluster.close();
});
