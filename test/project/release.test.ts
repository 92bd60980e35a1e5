import test from 'ava';
import { addressOf, type Candidate, httpsOf, obstacles, releasedManifest } from '../../.ci/release-plan.ts';

const address = 'https://git.example.com/acme/sequencer';

test('the address of a repository is https, without credentials, however its remote is written', (t) => {
  for (const remote of [
    address,
    `${address}.git`,
    'https://user:token@git.example.com/acme/sequencer.git',
    'git@git.example.com:acme/sequencer.git',
    'ssh://git@git.example.com:22/acme/sequencer.git',
  ])
    t.is(httpsOf(remote), address, remote);
  for (const remote of ['', '/srv/sequencer', '../sequencer.git', 'file:///srv/sequencer.git', 'C:\\src\\sequencer'])
    t.is(httpsOf(remote), undefined, remote);
});

test('what the environment says goes before the CI, and the CI before the remote', (t) => {
  const ci = { GITHUB_SERVER_URL: 'https://ci.example.com', GITHUB_REPOSITORY: 'a/b' };
  t.is(addressOf({ ...ci, REPOSITORY_URL: address }, 'git@other.example.com:c/d.git'), address);
  t.is(addressOf(ci, 'git@other.example.com:c/d.git'), 'https://ci.example.com/a/b');
  t.is(addressOf({ CI_PROJECT_URL: address }, ''), address);
  t.is(addressOf({}, 'git@other.example.com:c/d.git'), 'https://other.example.com/c/d');
  t.is(addressOf({}, '/srv/sequencer'), undefined);
});

test('the released package says where its sources and its issues are', (t) => {
  t.deepEqual(releasedManifest({ exports: {} }, address), {
    exports: {},
    homepage: `${address}#readme`,
    repository: { type: 'git', url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
  });
  t.deepEqual(releasedManifest({ exports: {} }, undefined), { exports: {} });
});

test('no entry point of the released package leads to a source, which it does not hold', (t) => {
  const door = { types: './dist/a.d.ts', source: './a.ts', default: './dist/a.js' };
  t.deepEqual(releasedManifest({ exports: { './a': door, './package.json': './package.json' } }, undefined), {
    exports: { './a': { types: './dist/a.d.ts', default: './dist/a.js' }, './package.json': './package.json' },
  });
});

const ready: Candidate = {
  version: '0.2.0',
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2027-01-01)\n',
  tags: ['v0.2.0'],
  isChanged: false,
  address,
  env: { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci.example.com/token' },
};

test('a commit is published only from a CI, tagged, told in the changelog, and from a known place', (t) => {
  t.deepEqual(obstacles(ready), []);
  t.deepEqual(obstacles({ ...ready, env: { SIGSTORE_ID_TOKEN: 'a' } }), []);
  const changes: readonly [Partial<Candidate>, RegExp][] = [
    [{ address: undefined }, /set REPOSITORY_URL/],
    [{ isChanged: true }, /commit them/],
    [{ tags: ['v0.2.0-rc.1'] }, /git tag v0\.2\.0$/],
    [{ changelog: '## Unreleased\n\n## 0.2.0-rc.1\n' }, /no heading "## 0\.2\.0"/],
    [{ env: {} }, /^provenance needs/],
  ];
  for (const [change, told] of changes) {
    const [only, ...more] = obstacles({ ...ready, ...change });
    t.regex(only ?? '', told);
    t.deepEqual(more, []);
  }
});
