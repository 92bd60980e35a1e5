import type { Family } from './scenario.ts';

/** The families of scenarios by name. */
export const families: Readonly<Record<string, () => Promise<Family>>> = {
  kinds: async () => (await import('./kinds.ts')).kinds,
};
