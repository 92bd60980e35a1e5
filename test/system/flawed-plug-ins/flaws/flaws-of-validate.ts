import type { Integration, Workspace } from '../../../../sdk/index.ts';
import type { Flaw } from '../flaw.ts';

const byWorkspace = /likely mistake: validate is asked at admission too, while the API server waits/;
const found = 'validate';

type Boxes = Readonly<Record<string, { size?: number; colour?: string }>>;
const boxesOf = ({ spec }: Workspace): Boxes => (spec.integrations?.boxes ?? {}) as Boxes;
const wrong = (name: string, message: string) => [{ field: `spec.integrations.boxes.${name}`, message }];
const of = (validate: NonNullable<Integration['validate']>): Partial<Integration> => ({ validate });

/** Flaws in validate. */
export const flawsOfValidate: readonly Flaw[] = [
  {
    what: 'validate looks at the clock',
    found,
    says: [/^validate answers \[\], then \[\], then \[\{"field":"spec\.integrations\.boxes\.a"/, byWorkspace],
    plugIn() {
      const end = Date.now() + 86_400_000;
      return of(() => (Date.now() < end ? [] : wrong('a', 'no boxes after the end of the sale')));
    },
  },
  {
    what: 'validate looks at the clock it was given',
    found,
    says: [/^validate answers \[\], then \[\], then \[\], then \[\{/, byWorkspace],
    plugIn(_, { clock }) {
      const end = clock.now() + 86_400_000;
      return of(() => (clock.now() < end ? [] : wrong('a', 'no boxes after the end of the sale')));
    },
  },
  {
    what: 'validate answers by chance',
    found,
    says: [/^validate answers .*, then .*for one spec/, byWorkspace],
    plugIn: () => of(() => wrong('a', `refused, ticket ${Math.random()}`)),
  },
  {
    what: 'validate reads the environment',
    found,
    says: [/^validate answers \[\], then \[\], then \[\{/, byWorkspace],
    plugIn: () => of(() => (process.env.PATH === undefined ? wrong('a', 'there is no path') : [])),
  },
  {
    what: 'validate remembers what it was asked',
    found,
    says: [/^validate answers \[\], then \[\{.*twice/, byWorkspace],
    plugIn() {
      const seen = new Set<string>();
      return of((workspace) => {
        const names = Object.keys(boxesOf(workspace));
        const twice = names.filter((name) => seen.has(name));
        for (const name of names) seen.add(name);
        return twice.flatMap((name) => wrong(name, 'is there twice'));
      });
    },
  },
  {
    what: 'validate puts defaults into the workspace',
    found,
    says: [
      /validate must not throw; it threw Cannot add property colour.*frozen|object is not extensible/,
      byWorkspace,
    ],
    subject: { spec: { integrations: { boxes: { a: { size: 1 } } } }, edited: { integrations: { boxes: {} } } },
    plugIn: () =>
      of((workspace) => {
        for (const box of Object.values(boxesOf(workspace))) box.colour ??= 'red';
        return [];
      }),
  },
  {
    what: 'validate throws where a member is missing',
    found,
    says: [/validate must not throw; it threw Cannot read properties of undefined/, byWorkspace],
    plugIn: () =>
      of((workspace) =>
        Object.entries(boxesOf(workspace)).flatMap(([name, { colour }]) =>
          colour!.startsWith('x') ? wrong(name, 'has no such colour') : [],
        ),
      ),
    subject: {
      spec: { integrations: { boxes: { a: { size: 1, colour: 'red' } } } },
      edited: { integrations: { boxes: { a: { size: 1 } } } },
    },
  },
  {
    what: 'validate asks the shop, which nothing waits for',
    found,
    says: [/^validate calls the third party: GET \/boxes\?label=a/, byWorkspace],
    plugIn: (_, { send }) =>
      of(() => {
        void send('/boxes?label=a').catch(() => undefined);
        return [];
      }),
  },
  {
    what: 'validate sends a request past its client',
    found,
    says: [/^validate calls the third party: https:\/\/boxes\.example\/boxes/, byWorkspace],
    plugIn: () =>
      of(() => {
        void fetch('https://boxes.example/boxes').catch(() => undefined);
        return [];
      }),
  },
  {
    what: 'validate is asynchronous',
    found,
    says: [/validate must return \{ field, message \}\[\]/, byWorkspace],
    plugIn: () => of((async () => []) as unknown as NonNullable<Integration['validate']>),
  },
  {
    what: 'validate finds fault with everything',
    found,
    says: [
      /^validate finds fault with the spec of the subject: \[\{/,
      /likely mistake: validate answers \[\] where nothing is wrong/,
    ],
    plugIn: () => of(() => wrong('a', 'is refused')),
  },
];
