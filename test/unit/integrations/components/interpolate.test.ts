import test from 'ava';
import { interpolate } from '../../../../integrations/components/interpolate.ts';
import type { OutputValue } from '../../../../sdk/index.ts';

const networks = new Map([
  ['db', new Map([['sql', 'shop-db-sql.default.svc:5432']])],
  [
    'web',
    new Map([
      ['http', 'shop-web-http.default.svc:80'],
      ['admin', 'shop-web-admin.default.svc:81'],
    ]),
  ],
]);

const outputs: Readonly<Record<string, OutputValue>> = {
  'Database.host': 'db.example:5432',
  'acme.com/DB.url': 'pg://${components::db.networks.sql}',
  'Database.password': { secretKeyRef: { name: 'shop-db', key: 'password' } },
};
const referents = (known: typeof networks = networks) => ({
  networks: known,
  outputOf: (reference: string) => (Object.hasOwn(outputs, reference) ? outputs[reference] : undefined),
});

const mistakeIn = (template: object, known: typeof networks = networks): string => {
  const result = interpolate(template, referents(known));
  return result.kind === 'mistake' ? result.reason : 'no mistake';
};

test('references anywhere in the strings of a template become host:port; everything else stays', (t) => {
  const template = {
    containers: [
      {
        name: 'web',
        args: ['--db=postgres://${components::db.networks.sql}/shop?via=${components::web.networks.admin}'],
        env: [{ name: '${components::not.a.key}'.slice(0, 4), value: '$HOME ${OTHER} ${components::db.networks.sql}' }],
        ports: [{ containerPort: 80 }],
        tty: true,
        stdin: null,
      },
    ],
  };
  t.deepEqual(interpolate(template, referents()), {
    kind: 'value',
    value: {
      containers: [
        {
          name: 'web',
          args: ['--db=postgres://shop-db-sql.default.svc:5432/shop?via=shop-web-admin.default.svc:81'],
          env: [{ name: '${co', value: '$HOME ${OTHER} shop-db-sql.default.svc:5432' }],
          ports: [{ containerPort: 80 }],
          tty: true,
          stdin: null,
        },
      ],
    },
  });
});

test('a reference to what is not there is named with its path and with what is known', (t) => {
  t.is(
    mistakeIn({ containers: [{ env: [{ value: 'x' }, { value: 'a ${components::db.networks.http}' }] }] }),
    'template.containers[0].env[1].value: ${components::db.networks.http} stands for nothing; known are db.networks.sql, web.networks.http, web.networks.admin',
  );
});

test('where no component has a network, that is what is said', (t) => {
  t.is(
    mistakeIn({ a: '${components::db.networks.sql}' }, new Map()),
    'template.a: ${components::db.networks.sql} stands for nothing; no component has a network',
  );
});

for (const malformed of ['db', 'db.sql', 'db.networks', 'db.networks.sql.port', ''])
  test(`\${components::${malformed}} is refused, showing the right form`, (t) => {
    t.is(
      mistakeIn({ a: `\${components::${malformed}}` }),
      `template.a: \${components::${malformed}} must read \${components::NAME.networks.NETWORK}`,
    );
  });

test('the first mistake in the order of the template is the one reported', (t) => {
  t.regex(mistakeIn({ a: ['${components::x.networks.y}'], b: '${components::z.networks.z}' }), /^template\.a\[0\]: /);
});

for (const [what, text] of [
  ['alone', '${components::db.networks.sql'],
  ['after a good one', '${components::db.networks.sql} ${components::db.networks'],
] as const)
  test(`a reference that is not closed, ${what}, is refused, showing the right form`, (t) => {
    t.regex(
      mistakeIn({ args: [text] }),
      /^template\.args\[0\]: \$\{components::db\.networks(\.sql)? has no closing \}: it must read \$\{components::NAME\.networks\.NETWORK\}$/,
    );
  });

test('what a message repeats of a template is cut', (t) => {
  const reason = mistakeIn({ ['k'.repeat(100_000)]: `\${components::${'x'.repeat(100_000)}}` });
  t.regex(reason, /^template\.k{131}…: \$\{components::x+… must read /);
  t.true(reason.length < 400);
});

test('outputs stand beside networks; what is put in is not looked at again', (t) => {
  const template = {
    a: 'http://${outputs::Database.host}/${components::db.networks.sql}',
    b: '${outputs::acme.com/DB.url}',
    env: [{ name: 'P', valueFrom: { secretKeyRef: '${outputs::Database.password}' } }],
  };
  t.deepEqual(interpolate(template, referents()), {
    kind: 'value',
    value: {
      a: 'http://db.example:5432/shop-db-sql.default.svc:5432',
      b: 'pg://${components::db.networks.sql}',
      env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'shop-db', key: 'password' } } }],
    },
  });
});

test('an output that is not there, or a key of a Secret where a text belongs, is named with its path', (t) => {
  t.is(
    mistakeIn({ a: 'x ${outputs::Database.port}' }),
    'template.a: ${outputs::Database.port} is not there; it must read ${outputs::CONDITION.NAME}',
  );
  t.is(
    mistakeIn({ a: '${outputs::Database.host' }),
    'template.a: ${outputs::Database.host has no closing }: it must read ${outputs::CONDITION.NAME}',
  );
  const secret = '${outputs::Database.password} is a key of a Secret: it must be all of a valueFrom.secretKeyRef';
  t.is(mistakeIn({ env: [{ value: '${outputs::Database.password}' }] }), `template.env[0].value: ${secret}`);
  t.is(
    mistakeIn({ valueFrom: { secretKeyRef: 'a ${outputs::Database.password}' } }),
    `template.valueFrom.secretKeyRef: ${secret}`,
  );
});
