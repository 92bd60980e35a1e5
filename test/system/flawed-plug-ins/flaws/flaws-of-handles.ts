import type { Flaw } from '../flaw.ts';

const bySpec = /likely mistake: handles is asked about every workspace of the cluster/;

/** Flaws in handles. */
export const flawsOfHandles: readonly Flaw[] = [
  {
    what: 'handles throws where nothing is asked for',
    found: 'handles',
    says: [/^handles throws "Cannot read properties of undefined.*" for the spec \{\}/, bySpec],
    plugIn: () => ({ handles: ({ spec }) => Object.keys(spec.integrations!.boxes!).length > 0 }),
  },
  {
    what: 'handles looks at the clock',
    found: 'handles',
    says: [/^handles answers true, then true, then false/, bySpec],
    plugIn() {
      const end = Date.now() + 86_400_000;
      return { handles: ({ spec }) => spec.integrations?.boxes !== undefined && Date.now() < end };
    },
  },
  {
    what: 'handles looks at the clock it was given',
    found: 'handles',
    says: [/^handles answers true, then true, then true, then false/, bySpec],
    plugIn: (_, { clock }) => {
      const end = new Date(clock.now()).getMonth();
      return {
        handles: ({ spec }) => spec.integrations?.boxes !== undefined && new Date(clock.now()).getMonth() === end,
      };
    },
  },
  {
    what: 'handles reads the environment',
    found: 'handles',
    says: [/^handles answers true, then true, then false/, bySpec],
    plugIn: () => ({ handles: ({ spec }) => spec.integrations?.boxes !== undefined && process.env.PATH !== undefined }),
  },
  {
    what: 'handles looks whether its condition is Completed',
    found: 'handles',
    says: [/^handles answers true for a spec, and false for the same spec once the workspace/, bySpec],
    plugIn: () => ({
      handles: ({ spec, status }) =>
        spec.integrations?.boxes !== undefined &&
        !status?.conditions?.some(({ type, status: is }) => type === 'Boxes' && is === 'Completed'),
    }),
  },
  {
    what: 'handles looks whether the workspace is new, by its generation',
    found: 'handles',
    says: [/^handles answers true for a spec, and false for the same spec once the workspace/, bySpec],
    plugIn: () => ({
      handles: ({ spec, metadata }) => spec.integrations?.boxes !== undefined && metadata.generation === 1,
    }),
  },
  {
    what: 'handles looks whether there are finalizers',
    found: 'handles',
    says: [/^handles answers true for a spec, and false for the same spec once the workspace/, bySpec],
    plugIn: () => ({
      handles: ({ spec, metadata }) => spec.integrations?.boxes !== undefined && metadata.finalizers === undefined,
    }),
  },
  {
    what: 'handles answers by chance',
    found: 'handles',
    says: [/^handles answers (true|false), then/, bySpec],
    plugIn() {
      let asked = 0;
      return {
        handles({ spec }) {
          asked += 1;
          return spec.integrations?.boxes !== undefined && asked % 3 !== 0;
        },
      };
    },
  },
  {
    what: 'handles answers what is asked for, not whether',
    found: 'handles',
    says: [/^handles answers \[object Object\], which is not a boolean/, bySpec],
    plugIn: () => ({ handles: ({ spec }) => spec.integrations?.boxes as unknown as boolean }),
  },
  {
    what: 'handles asks the shop, which nothing waits for',
    found: 'handles',
    says: [/^handles calls the third party: GET \/boxes\?label=a/, bySpec],
    plugIn: (_, { send }) => ({
      handles({ spec }) {
        void send('/boxes?label=a').catch(() => undefined);
        return spec.integrations?.boxes !== undefined;
      },
    }),
  },
  {
    what: 'handles answers true for everything',
    found: 'unhandled',
    says: [
      /^it claims a workspace that does not ask for it/,
      /likely mistake: handles answers true for every workspace/,
    ],
    plugIn: () => ({ handles: () => true }),
  },
];
