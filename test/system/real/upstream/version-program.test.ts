import test from 'ava';
import { moduleOf } from './version-program.ts';

test('the module of another version requires it and replaces its parts; what follows is left to go mod tidy', (t) => {
  const text = `module a/b

go 1.24.0

require (
\tk8s.io/kubectl v0.34.1
\tk8s.io/kubernetes v1.34.1
)

require github.com/google/btree v1.1.3 // indirect

replace (
\tk8s.io/api => k8s.io/api v0.34.1
\tk8s.io/client-go => k8s.io/client-go v0.34.1
)
`;
  t.is(
    moduleOf(text, 'v1.35.4'),
    `module a/b

go 1.24.0

require k8s.io/kubernetes v1.35.4

replace (
\tk8s.io/api => k8s.io/api v0.35.4
\tk8s.io/client-go => k8s.io/client-go v0.35.4
)
`,
  );
});
