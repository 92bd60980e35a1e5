import test from 'ava';
import { podSecurityLevels } from '../../../../integrations/components/pod-security-standards.ts';
import { podSpecOf } from '../../../../integrations/components/pod-spec.ts';
import { samplePods } from './fixtures/pods.ts';

const rules = { podSecurity: 'restricted', serviceAccounts: ['default'] } as const;
const main = { name: 'main', image: 'main' };
const mistakeIn = (spec: Readonly<Record<string, unknown>>, more: Partial<Parameters<typeof podSpecOf>[1]> = {}) => {
  const made = podSpecOf(spec, { ...rules, ...more });
  return made.kind === 'mistake' ? made.reason : 'no mistake';
};

for (const { what, spec, meets, field } of samplePods)
  test(`${what} meets ${meets}`, (t) => {
    for (const podSecurity of podSecurityLevels) {
      const made = podSpecOf(spec, { ...rules, podSecurity });
      const isMet = podSecurityLevels.indexOf(podSecurity) <= podSecurityLevels.indexOf(meets);
      t.is(made.kind, isMet ? 'value' : 'mistake', podSecurity);
      if (made.kind === 'mistake') t.true(made.reason.startsWith(field ?? '?'), made.reason);
    }
  });

test('what the template leaves open of restricted is filled in; what it says stays', (t) => {
  t.deepEqual(
    podSpecOf({ containers: [main, { ...main, securityContext: { runAsUser: 7, capabilities: { add: [] } } }] }, rules),
    {
      kind: 'value',
      value: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          { ...main, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
          {
            ...main,
            securityContext: {
              runAsUser: 7,
              allowPrivilegeEscalation: false,
              capabilities: { add: [], drop: ['ALL'] },
            },
          },
        ],
      },
    },
  );
});

test('at baseline nothing but the token is filled in', (t) => {
  t.deepEqual(podSpecOf({ containers: [main] }, { ...rules, podSecurity: 'baseline' }), {
    kind: 'value',
    value: { containers: [main], automountServiceAccountToken: false },
  });
});

test('a token is mounted where the template asks for it', (t) => {
  t.like(podSpecOf({ containers: [main], automountServiceAccountToken: true }, rules), {
    value: { automountServiceAccountToken: true },
  });
});

test('a mistake names the field, what it may be, and the control', (t) => {
  t.is(
    mistakeIn({ containers: [{ ...main, securityContext: { privileged: true } }] }),
    'template.containers[0].securityContext.privileged: must be unset or false, not true (Pod Security Standard restricted: Privileged Containers)',
  );
});

test('a value of another type than the API server knows is no way around a control', (t) => {
  for (const hostPID of ['true', 1, {}, [true]])
    t.regex(mistakeIn({ hostPID }), /^template\.hostPID: must be unset or false/);
  t.regex(
    mistakeIn({ volumes: [{ name: 'a', emptyDir: {}, hostPath: { path: '/' } }] }),
    /^template\.volumes\[0\]\.hostPath/,
  );
});

test('what is not an object is left to the API server to refuse', (t) => {
  t.like(podSpecOf({ containers: [7], securityContext: 'x' }, { ...rules, podSecurity: 'baseline' }), {
    kind: 'value',
  });
  t.regex(mistakeIn({ containers: [7], securityContext: 'x' }), /runAsNonRoot|allowPrivilegeEscalation/);
});

test('a service account has to be in the list, under either of its names', (t) => {
  const admin =
    'template.serviceAccountName: "admin" is not allowed here; allowed: default (option serviceAccounts of components)';
  t.is(mistakeIn({ serviceAccountName: 'admin' }), admin);
  t.is(mistakeIn({ serviceAccount: 'admin' }), admin);
  t.is(mistakeIn({ serviceAccountName: 'default', serviceAccount: 'admin' }), admin);
  t.is(mistakeIn({ serviceAccountName: 'admin' }, { serviceAccounts: ['admin'] }), 'no mistake');
  t.regex(mistakeIn({}, { serviceAccounts: ['admin'] }), /"default" is not allowed here; allowed: admin/);
  t.regex(mistakeIn({ serviceAccountName: ['admin'] }), /\["admin"\] is not allowed/);
  t.regex(mistakeIn({}, { serviceAccounts: [] }), /none is allowed/);
});
